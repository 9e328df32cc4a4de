// c = a · aᵀ for a row-major n × k matrix a whose sides are multiples of TILE. A work-item makes one
// number of c: the product of two rows of a.

// Every work-item reads both rows from global memory; neighbours read a row apart.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void syrk_global(__global const float *a, __global float *c, int k)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    float sum = 0.0f;
    for (int i = 0; i < k; ++i)
        sum = fma(a[row * k + i], a[column * k + i], sum);
    c[row * get_global_size(0) + column] = sum;
}

// The work-group brings tiles of its TILE rows and of its TILE columns to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void syrk_local(__global const float *a, __global float *c, int k)
{
    __local float tile_rows[TILE][TILE];
    __local float tile_columns[TILE][TILE + 1]; // one more, so that a column lies in different banks
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    float sum = 0.0f;
    for (int start = 0; start < k; start += TILE) {
        tile_rows[y][x] = a[(top + y) * k + start + x];
        tile_columns[y][x] = a[(left + y) * k + start + x];
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are complete

        for (int i = 0; i < TILE; ++i)
            sum = fma(tile_rows[y][i], tile_columns[x][i], sum);
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the tiles any more
    }
    c[(top + y) * get_global_size(0) + left + x] = sum;
}
