// A step of Bellman and Ford's shortest paths: whatever lies at most NEAR from the source tells the ends
// of its edges how far they are by way of it, if that is less. A work-item has a vertex with `degree`
// edges.

#define NEAR 500

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void relax_edges(__global const int *ends, __global const int *weights, __global const int *before,
                 __global int *after, int degree)
{
    const int vertex = get_global_id(0);
    const int distance = before[vertex];
    if (distance > NEAR)
        return;
    for (int edge = vertex * degree; edge < (vertex + 1) * degree; ++edge)
        atomic_min(&after[ends[edge]], distance + weights[edge]);
}
