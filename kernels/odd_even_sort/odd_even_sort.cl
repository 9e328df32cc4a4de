// Sorts rows of 2 · GROUP keys: in turn every even key is compared with the next one, and every odd key,
// as often as there are keys (Habermann, 1972). A work-group has a row, a work-item a pair.

// The keys are exchanged in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void odd_even_sort_global(__global uint *keys)
{
    __global uint *row = keys + get_group_id(0) * 2 * GROUP;
    for (int round = 0; round < 2 * GROUP; ++round) {
        const int first = 2 * get_local_id(0) + round % 2;
        if (first + 1 < 2 * GROUP) {
            const uint a = row[first], b = row[first + 1];
            row[first] = min(a, b);
            row[first + 1] = max(a, b);
        }
        barrier(CLK_GLOBAL_MEM_FENCE); // the round is complete
    }
}

// The keys are exchanged in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void odd_even_sort_local(__global uint *keys)
{
    __local uint own[2 * GROUP];
    __global uint *row = keys + get_group_id(0) * 2 * GROUP;
    const int item = get_local_id(0);

    own[item] = row[item];
    own[item + GROUP] = row[item + GROUP];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 2 * GROUP; ++round) {
        const int first = 2 * item + round % 2;
        if (first + 1 < 2 * GROUP) {
            const uint a = own[first], b = own[first + 1];
            own[first] = min(a, b);
            own[first + 1] = max(a, b);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the round is complete
    }
    row[item] = own[item];
    row[item + GROUP] = own[item + GROUP];
}
