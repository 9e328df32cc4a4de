// best[k][c] = what things of knapsack k that weigh at most c together are worth at most, each taken once
// or not at all; by Bellman's table (1957), thing by thing. A work-group has a knapsack and goes through
// its row of capacities.

// The row before and the row now lie in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void knapsack_global(__global const int *weights, __global const int *worths, __global int *best, int things,
                     int capacity, __global int *scratch)
{
    const int knapsack = get_group_id(0);
    __global int *before = scratch + knapsack * 2 * (capacity + 1);
    __global int *now = before + capacity + 1;

    for (int c = get_local_id(0); c <= capacity; c += GROUP)
        before[c] = 0;
    for (int thing = knapsack * things; thing < (knapsack + 1) * things; ++thing) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the row before is complete
        const int weight = weights[thing];
        const int worth = worths[thing];
        for (int c = get_local_id(0); c <= capacity; c += GROUP)
            now[c] = c < weight ? before[c] : max(before[c], before[c - weight] + worth);
        __global int *swap = now;
        now = before;
        before = swap;
    }
    for (int c = get_local_id(0); c <= capacity; c += GROUP) // its own: no need to wait
        best[knapsack * (capacity + 1) + c] = before[c];
}

// The two rows lie in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void knapsack_local(__global const int *weights, __global const int *worths, __global int *best, int things,
                    int capacity, __local int *rows)
{
    const int knapsack = get_group_id(0);
    __local int *before = rows;
    __local int *now = rows + capacity + 1;

    for (int c = get_local_id(0); c <= capacity; c += GROUP)
        before[c] = 0;
    for (int thing = knapsack * things; thing < (knapsack + 1) * things; ++thing) {
        barrier(CLK_LOCAL_MEM_FENCE); // the row before is complete
        const int weight = weights[thing];
        const int worth = worths[thing];
        for (int c = get_local_id(0); c <= capacity; c += GROUP)
            now[c] = c < weight ? before[c] : max(before[c], before[c - weight] + worth);
        __local int *swap = now;
        now = before;
        before = swap;
    }
    for (int c = get_local_id(0); c <= capacity; c += GROUP)
        best[knapsack * (capacity + 1) + c] = before[c];
}
