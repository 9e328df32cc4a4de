// Each output channel is the sum of all input channels, each convolved with 3 × 3 weights of its own;
// negative numbers become 0. Input channels have a rim one pixel wide. A work-item has a pixel of an
// output channel.

// The sum over input channels; `weights` are the output channel's.
#define SUMMED(weights)                                                                 \
    float sum = 0.0f;                                                                   \
    for (int input = 0; input < inputs; ++input) {                                      \
        __global const float *image = images + (input * (side + 2) + y) * (side + 2) + x; \
        for (int i = 0; i < 3; ++i)                                                     \
            for (int j = 0; j < 3; ++j)                                                 \
                sum += (weights)[input * 9 + i * 3 + j] * image[i * (side + 2) + j];    \
    }                                                                                   \
    results[(output * side + y) * side + x] = fmax(sum, 0.0f)

// Weights are read from global memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void convolve_channels_global(__global const float *images, __global const float *weights,
                              __global float *results, int inputs)
{
    const int x = get_global_id(0), y = get_global_id(1), output = get_global_id(2);
    const int side = get_global_size(0);
    SUMMED(weights + output * inputs * 9);
}

// The output channel's weights lie in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void convolve_channels_local(__global const float *images, __global const float *weights,
                             __global float *results, int inputs, __local float *own)
{
    const int x = get_global_id(0), y = get_global_id(1), output = get_global_id(2);
    const int side = get_global_size(0);

    for (int i = get_local_id(1) * WIDTH + get_local_id(0); i < inputs * 9; i += WIDTH * HEIGHT)
        own[i] = weights[output * inputs * 9 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    SUMMED(own);
}
