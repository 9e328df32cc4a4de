// c = a · b for row-major n × n matrices, n a multiple of 4 · GROUP; after AMD's SDK program
// MatrixMultiplication. A work-item makes a 4 × 4 block of c, so that each number it loads is used
// four times; a row of a matrix is n / 4 float4.

// One row of the product: a row of a's 4 × 4 block times the four rows of b's.
float4 row_times_block(float4 a, float4 b0, float4 b1, float4 b2, float4 b3)
{
    return a.x * b0 + a.y * b1 + a.z * b2 + a.w * b3;
}

// Reads both matrices straight from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
void matmul_float4_global(__global const float4 *a, __global const float4 *b, __global float4 *c, int n)
{
    const int width = n / 4;
    const int column = get_global_id(0);
    const int top = 4 * get_global_id(1);

    float4 sum[4] = {(float4)0.0f, (float4)0.0f, (float4)0.0f, (float4)0.0f};
    for (int k = 0; k < width; ++k) {
        const float4 b0 = b[(4 * k + 0) * width + column];
        const float4 b1 = b[(4 * k + 1) * width + column];
        const float4 b2 = b[(4 * k + 2) * width + column];
        const float4 b3 = b[(4 * k + 3) * width + column];
        for (int i = 0; i < 4; ++i)
            sum[i] += row_times_block(a[(top + i) * width + k], b0, b1, b2, b3);
    }
    for (int i = 0; i < 4; ++i)
        c[(top + i) * width + column] = sum[i];
}

// Shares a's tile of 4 · GROUP rows by GROUP float4 in local memory; b's rows are read by neighbours
// side by side and used up at once.
__kernel __attribute__((reqd_work_group_size(GROUP, GROUP, 1)))
void matmul_float4_local(__global const float4 *a, __global const float4 *b, __global float4 *c,
                         int n, __local float4 *tile)
{
    const int width = n / 4;
    const int x = get_local_id(0);
    const int column = get_global_id(0);
    const int top = 4 * get_global_id(1);
    const int tile_top = 4 * get_local_id(1);

    float4 sum[4] = {(float4)0.0f, (float4)0.0f, (float4)0.0f, (float4)0.0f};
    for (int start = 0; start < width; start += GROUP) {
        for (int i = 0; i < 4; ++i)
            tile[(tile_top + i) * GROUP + x] = a[(top + i) * width + start + x];
        barrier(CLK_LOCAL_MEM_FENCE); // the tile is complete

        for (int k = 0; k < GROUP; ++k) {
            const int row = 4 * (start + k);
            const float4 b0 = b[(row + 0) * width + column];
            const float4 b1 = b[(row + 1) * width + column];
            const float4 b2 = b[(row + 2) * width + column];
            const float4 b3 = b[(row + 3) * width + column];
            for (int i = 0; i < 4; ++i)
                sum[i] += row_times_block(tile[(tile_top + i) * GROUP + k], b0, b1, b2, b3);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the tile any more
    }
    for (int i = 0; i < 4; ++i)
        c[(top + i) * width + column] = sum[i];
}
