// sums[r][c] = the sum of row r's values up to and with column c; rows lie one after the other.

// A work-item goes along a row: neighbours are a row apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void prefix_rows_global(__global const uint *values, __global uint *sums, int columns)
{
    const int row = get_global_id(0) * columns;
    uint sum = 0;
    for (int c = 0; c < columns; ++c) {
        sum += values[row + c];
        sums[row + c] = sum;
    }
}

// A work-group goes along a row, GROUP numbers at a time, which it adds up in local memory after Hillis
// and Steele (1986). columns is a multiple of GROUP.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void prefix_rows_local(__global const uint *values, __global uint *sums, int columns)
{
    __local uint halves[2][GROUP];
    const int item = get_local_id(0);
    const int row = get_group_id(0) * columns;

    uint before = 0;
    for (int c = item; c < columns; c += GROUP) {
        int now = 0;
        halves[now][item] = values[row + c];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int reach = 1; reach < GROUP; reach *= 2) {
            uint sum = halves[now][item];
            if (item >= reach)
                sum += halves[now][item - reach];
            now = 1 - now;
            halves[now][item] = sum;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        sums[row + c] = before + halves[now][item];
        before += halves[now][GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE); // all have read the last
    }
}
