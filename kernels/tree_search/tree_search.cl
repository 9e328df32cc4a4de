// ranks[q] = how many keys of a complete binary search tree are smaller than query q. The tree lies level
// by level from its root on, as Eytzinger wrote down ancestors (1590), so that a search's first steps,
// which all share, lie close together. A work-item has a query.

// Every step reads global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_search_global(__global const uint *tree, __global const uint *queries, __global uint *ranks,
                        int levels)
{
    const uint query = queries[get_global_id(0)];
    uint node = 1; // counted from 1, so that its children are 2 · node and 2 · node + 1
    for (int level = 0; level < levels; ++level)
        node = 2 * node + (tree[node - 1] < query);
    ranks[get_global_id(0)] = node - (1u << levels);
}

// The first TOP levels lie in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_search_local(__global const uint *tree, __global const uint *queries, __global uint *ranks,
                       int levels)
{
    __local uint top[1 << TOP];
    for (int i = get_local_id(0); i < (1 << TOP) - 1; i += GROUP)
        top[i] = tree[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint query = queries[get_global_id(0)];
    uint node = 1;
    for (int level = 0; level < TOP; ++level)
        node = 2 * node + (top[node - 1] < query);
    for (int level = TOP; level < levels; ++level)
        node = 2 * node + (tree[node - 1] < query);
    ranks[get_global_id(0)] = node - (1u << levels);
}
