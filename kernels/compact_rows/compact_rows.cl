// Packs the values of each row that exceed THRESHOLD to the row's start, in order, counts them, and fills
// the rest of the row with 0.

#define THRESHOLD 600

// A work-item goes along a row; where it writes to depends on what it has read.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void compact_rows_global(__global const uint *values, __global uint *packed, __global int *counts,
                         int columns)
{
    const int row = get_global_id(0) * columns;

    int count = 0;
    for (int c = 0; c < columns; ++c) {
        const uint value = values[row + c];
        if (value > THRESHOLD)
            packed[row + count++] = value;
    }
    counts[get_global_id(0)] = count;
    for (int c = count; c < columns; ++c)
        packed[row + c] = 0;
}

// A work-group goes along a row, GROUP numbers at a time; a running sum in local memory says where each
// goes. columns is a multiple of GROUP.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void compact_rows_local(__global const uint *values, __global uint *packed, __global int *counts,
                        int columns)
{
    __local int halves[2][GROUP];
    const int item = get_local_id(0);
    const int row = get_group_id(0) * columns;

    int count = 0;
    for (int c = item; c < columns; c += GROUP) {
        const uint value = values[row + c];
        int now = 0;
        halves[now][item] = value > THRESHOLD;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int reach = 1; reach < GROUP; reach *= 2) {
            int sum = halves[now][item];
            if (item >= reach)
                sum += halves[now][item - reach];
            now = 1 - now;
            halves[now][item] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (value > THRESHOLD)
            packed[row + count + halves[now][item] - 1] = value;
        count += halves[now][GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE); // all have read the last
    }
    if (item == 0)
        counts[get_group_id(0)] = count;
    for (int c = count + item; c < columns; c += GROUP)
        packed[row + c] = 0;
}
