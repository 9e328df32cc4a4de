// Sorts every block of 2 · GROUP keys by Batcher's bitonic network (1968). A work-group has one block, a
// work-item one pair of keys in each step.

#define BLOCK (2 * GROUP)

// The lower place of the work-item's pair of keys that are `distance`, a power of 2, apart.
int lower_of_pair(int distance)
{
    const int item = get_local_id(0);
    return 2 * item - (item & (distance - 1));
}

// The keys stay in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitonic_sort_blocks_global(__global const uint *keys, __global uint *sorted)
{
    const int item = get_local_id(0);
    const int start = get_group_id(0) * BLOCK;
    __global uint *block = sorted + start;

    block[item] = keys[start + item];
    block[item + GROUP] = keys[start + item + GROUP];
    for (int run = 2; run <= BLOCK; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            barrier(CLK_GLOBAL_MEM_FENCE); // the last step is complete
            const int lower = lower_of_pair(distance);
            const uint a = block[lower];
            const uint b = block[lower + distance];
            if ((a > b) == ((lower & run) == 0)) {
                block[lower] = b;
                block[lower + distance] = a;
            }
        }
}

// The keys are sorted in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitonic_sort_blocks_local(__global const uint *keys, __global uint *sorted)
{
    __local uint block[BLOCK];
    const int item = get_local_id(0);
    const int start = get_group_id(0) * BLOCK;

    block[item] = keys[start + item];
    block[item + GROUP] = keys[start + item + GROUP];
    for (int run = 2; run <= BLOCK; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE); // the last step is complete
            const int lower = lower_of_pair(distance);
            const uint a = block[lower];
            const uint b = block[lower + distance];
            if ((a > b) == ((lower & run) == 0)) {
                block[lower] = b;
                block[lower + distance] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    sorted[start + item] = block[item];
    sorted[start + item + GROUP] = block[item + GROUP];
}
