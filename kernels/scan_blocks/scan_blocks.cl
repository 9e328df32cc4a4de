// sums[i] = the sum of the values up to and with number i, anew in every block of GROUP values, after
// Hillis and Steele (1986): in the step of reach 1, 2, 4 … each number has added to it the one that
// far before it. GROUP is a power of 4, so that the number of steps is even and they end where they began.

// The steps go to and fro between sums and scratch in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_blocks_global(__global const uint *values, __global uint *sums, __global uint *scratch)
{
    const int i = get_global_id(0);
    const int item = get_local_id(0);
    __global uint *now = sums;
    __global uint *next = scratch;

    now[i] = values[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int reach = 1; reach < GROUP; reach *= 2) {
        uint sum = now[i];
        if (item >= reach)
            sum += now[i - reach];
        next[i] = sum;
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global uint *swap = now;
        now = next;
        next = swap;
    }
}

// The steps go to and fro between two halves of local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scan_blocks_local(__global const uint *values, __global uint *sums)
{
    __local uint halves[2 * GROUP];
    const int i = get_global_id(0);
    const int item = get_local_id(0);
    int now = 0;
    int next = GROUP;

    halves[item] = values[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int reach = 1; reach < GROUP; reach *= 2) {
        uint sum = halves[now + item];
        if (item >= reach)
            sum += halves[now + item - reach];
        halves[next + item] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
        now = GROUP - now;
        next = GROUP - next;
    }
    sums[i] = halves[item];
}
