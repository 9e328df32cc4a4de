// convolved(x, y) = Σ_{r = 0..2 RADIUS} weights[r] · image(x + r, y); after the row pass of NVIDIA's SDK
// program ConvolutionSeparable. The image has a margin of RADIUS left and right; width is a multiple
// of GROUP. A work-item makes one point.

#define RADIUS 8

// Every work-item reads its points from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void convolve_rows_global(__global const float *image, __global const float *weights,
                          __global float *convolved, int width)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __global const float *window = image + y * (width + 2 * RADIUS) + x;

    float sum = 0.0f;
    for (int r = 0; r <= 2 * RADIUS; ++r)
        sum = fma(weights[r], window[r], sum);
    convolved[y * width + x] = sum;
}

// The work-group brings its part of the row, with both margins, to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void convolve_rows_local(__global const float *image, __global const float *weights,
                         __global float *convolved, int width)
{
    __local float part[GROUP + 2 * RADIUS];
    const int item = get_local_id(0);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int start = y * (width + 2 * RADIUS) + get_group_id(0) * GROUP;

    for (int i = item; i < GROUP + 2 * RADIUS; i += GROUP)
        part[i] = image[start + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int r = 0; r <= 2 * RADIUS; ++r)
        sum = fma(weights[r], part[item + r], sum);
    convolved[y * width + x] = sum;
}
