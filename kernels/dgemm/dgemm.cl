// c = a · b in double precision for row-major n × n matrices, n a multiple of TILE. A work-group makes one
// TILE × TILE block of c, a work-item one element of it.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// Reads a row of a and a column of b straight from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void dgemm_global(__global const double *a, __global const double *b, __global double *c, int n)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    double sum = 0.0;
    for (int k = 0; k < n; ++k)
        sum = fma(a[row * n + k], b[k * n + column], sum);
    c[row * n + column] = sum;
}

// Shares tiles of a and b in local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void dgemm_local(__global const double *a, __global const double *b, __global double *c, int n)
{
    __local double tile_a[TILE][TILE];
    __local double tile_b[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    double sum = 0.0;
    for (int start = 0; start < n; start += TILE) {
        tile_a[y][x] = a[row * n + start + x];
        tile_b[y][x] = b[(start + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are complete

        for (int k = 0; k < TILE; ++k)
            sum = fma(tile_a[y][k], tile_b[k][x], sum);
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the tiles any more
    }
    c[row * n + column] = sum;
}
