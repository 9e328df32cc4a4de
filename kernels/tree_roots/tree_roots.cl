// Every vertex of a forest goes up from parent to parent until it comes to its root, as union-find does
// to tell sets apart. How far that is depends on the vertex: neighbours wait for the deepest. A work-item
// has a vertex.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_roots(__global const int *parents, __global int *roots)
{
    int root = get_global_id(0);
    for (int parent = parents[root]; parent != root; parent = parents[root])
        root = parent;
    roots[get_global_id(0)] = root;
}
