// c = a · b for row-major n × n matrices, n a multiple of TILE; after NVIDIA's SDK program MatrixMul.
// A work-group makes one TILE × TILE block of c, a work-item one element of it.

// Reads a row of a and a column of b straight from global memory: 2 n loads a work-item.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_float_global(__global const float *a, __global const float *b, __global float *c, int n)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    float sum = 0.0f;
    for (int k = 0; k < n; ++k)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

// Shares tiles of a and b in local memory: 2 n / TILE global loads a work-item.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_float_local(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float tile_a[TILE][TILE];
    __local float tile_b[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    float sum = 0.0f;
    for (int start = 0; start < n; start += TILE) {
        tile_a[y][x] = a[row * n + start + x];
        tile_b[y][x] = b[(start + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are complete

        for (int k = 0; k < TILE; ++k)
            sum += tile_a[y][k] * tile_b[k][x];
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the tiles any more
    }
    c[row * n + column] = sum;
}
