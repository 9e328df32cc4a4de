// convolved(x, y) = Σ_{j, i = 0..SIDE − 1} weights[j · SIDE + i] · image(x + i, y + j); after AMD's SDK program
// SimpleConvolution. The image has a margin of SIDE / 2 on every side; width and height are multiples of
// TILE. A work-item makes one point.

#define SIDE 5
#define PART (TILE + SIDE - 1)

// Every work-item reads its 25 points from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void convolve_5x5_global(__global const float *image, __global const float *weights,
                         __global float *convolved, int width)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);

    float sum = 0.0f;
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i)
            sum = fma(weights[j * SIDE + i], image[(y + j) * (width + SIDE - 1) + x + i], sum);
    convolved[y * width + x] = sum;
}

// The work-group brings its tile, with its margin, and the weights to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void convolve_5x5_local(__global const float *image, __global const float *weights,
                        __global float *convolved, int width)
{
    __local float tile[PART][PART];
    __local float shared_weights[SIDE * SIDE];
    const int item_x = get_local_id(0);
    const int item_y = get_local_id(1);
    const int item = item_y * TILE + item_x;
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    if (item < SIDE * SIDE)
        shared_weights[item] = weights[item];
    for (int j = item_y; j < PART; j += TILE)
        for (int i = item_x; i < PART; i += TILE)
            tile[j][i] = image[(top + j) * (width + SIDE - 1) + left + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int j = 0; j < SIDE; ++j)
        for (int i = 0; i < SIDE; ++i)
            sum = fma(shared_weights[j * SIDE + i], tile[item_y + j][item_x + i], sum);
    convolved[(top + item_y) * width + left + item_x] = sum;
}
