// Discrete cosine transform (type II, orthonormal) of every 8 × 8 block of an image; after NVIDIA's
// DCT8x8 and AMD's DCT. The image is row-major, its width a multiple of GROUP, its height of 8.
// basis[u * 8 + x] = c(u) cos((2 x + 1) u π / 16), c(0) = √(1/8), c(u) = 1/2 otherwise.
//
// A work-item makes one column of its block's coefficients: it transforms the block's eight rows as
// far as its own horizontal frequency, then that column downwards. A work-group has GROUP / 8 blocks
// side by side.

#define BLOCK 8

// Every work-item reads its whole block from global memory, where eight of them want the same.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dct8x8_global(__global const float *image, __global const float *basis, __global float *coefficients,
                   int width)
{
    const int column = get_global_id(0);
    const int top = BLOCK * get_global_id(1);
    const int frequency = column % BLOCK;
    const int left = column - frequency;

    float across[BLOCK]; // stays in registers: every loop over it is unrolled
    #pragma unroll
    for (int y = 0; y < BLOCK; ++y) {
        float sum = 0.0f;
        for (int x = 0; x < BLOCK; ++x)
            sum += basis[frequency * BLOCK + x] * image[(top + y) * width + left + x];
        across[y] = sum;
    }
    for (int v = 0; v < BLOCK; ++v) {
        float sum = 0.0f;
        #pragma unroll
        for (int y = 0; y < BLOCK; ++y)
            sum += basis[v * BLOCK + y] * across[y];
        coefficients[(top + v) * width + column] = sum;
    }
}

// The work-group brings its blocks and the basis to local memory once.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dct8x8_local(__global const float *image, __global const float *basis, __global float *coefficients,
                  int width)
{
    __local float tile[BLOCK][GROUP];
    __local float shared_basis[BLOCK * BLOCK];
    const int item = get_local_id(0);
    const int column = get_global_id(0);
    const int top = BLOCK * get_global_id(1);
    const int frequency = item % BLOCK;
    const int left = item - frequency;

    for (int y = 0; y < BLOCK; ++y)
        tile[y][item] = image[(top + y) * width + column];
    for (int i = item; i < BLOCK * BLOCK; i += GROUP)
        shared_basis[i] = basis[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    float across[BLOCK]; // stays in registers: every loop over it is unrolled
    #pragma unroll
    for (int y = 0; y < BLOCK; ++y) {
        float sum = 0.0f;
        for (int x = 0; x < BLOCK; ++x)
            sum += shared_basis[frequency * BLOCK + x] * tile[y][left + x];
        across[y] = sum;
    }
    for (int v = 0; v < BLOCK; ++v) {
        float sum = 0.0f;
        #pragma unroll
        for (int y = 0; y < BLOCK; ++y)
            sum += shared_basis[v * BLOCK + y] * across[y];
        coefficients[(top + v) * width + column] = sum;
    }
}
