// updated = a − column · row, for a row-major matrix whose sides are multiples of TILE: what Gaussian
// elimination does to the rest of a matrix after each pivot. A work-item makes one number.

// Every work-item reads its two factors from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void rank_1_update_global(__global const float *a, __global const float *column, __global const float *row,
                          __global float *updated)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int i = y * get_global_size(0) + x;
    updated[i] = fma(-column[y], row[x], a[i]);
}

// The work-group brings its TILE numbers of the column and of the row to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void rank_1_update_local(__global const float *a, __global const float *column, __global const float *row,
                         __global float *updated)
{
    __local float tile_column[TILE];
    __local float tile_row[TILE];
    const int item_x = get_local_id(0);
    const int item_y = get_local_id(1);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int i = y * get_global_size(0) + x;

    if (item_y == 0)
        tile_row[item_x] = row[x];
    if (item_y == 1)
        tile_column[item_x] = column[get_group_id(1) * TILE + item_x];
    barrier(CLK_LOCAL_MEM_FENCE);
    updated[i] = fma(-tile_column[item_y], tile_row[item_x], a[i]);
}
