// convolved(x, y) = Σ_{r = 0..2 RADIUS} weights[r] · image(x, y + r); after the column pass of NVIDIA's SDK
// program ConvolutionSeparable. The image has a margin of RADIUS above and below; width and height are
// multiples of TILE. A work-item makes one point.

#define RADIUS 8

// Every work-item reads its points from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void convolve_columns_global(__global const float *image, __global const float *weights,
                             __global float *convolved, int width)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);

    float sum = 0.0f;
    for (int r = 0; r <= 2 * RADIUS; ++r)
        sum = fma(weights[r], image[(y + r) * width + x], sum);
    convolved[y * width + x] = sum;
}

// The work-group brings its tile, with the margins above and below, to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void convolve_columns_local(__global const float *image, __global const float *weights,
                            __global float *convolved, int width)
{
    __local float tile[TILE + 2 * RADIUS][TILE];
    const int item_x = get_local_id(0);
    const int item_y = get_local_id(1);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int top = get_group_id(1) * TILE;

    for (int j = item_y; j < TILE + 2 * RADIUS; j += TILE)
        tile[j][item_x] = image[(top + j) * width + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int r = 0; r <= 2 * RADIUS; ++r)
        sum = fma(weights[r], tile[item_y + r][item_x], sum);
    convolved[y * width + x] = sum;
}
