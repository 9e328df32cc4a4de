// Each channel of an image convolved with 3 × 3 weights of its own, normalised over its batch, and bent by an
// activation. Channels lie innermost, in half precision, and are computed in single; a work-item has four of
// them of a pixel. The image ends where it ends: what is beyond counts as 0.

#define KERNEL 3
#define PAD 1
#define EPSILON 1e-5f

enum { RELU6, HARD_SWISH, GELU };

typedef struct {
    int channels, width, height; // of the input; channels are a multiple of 4
    int stride, activation;
} layer;

// Of four channels.
typedef struct {
    float4 means, variances, gains, biases;
} normal;

static inline float4 normalised(float4 x, normal by)
{
    return (x - by.means) * rsqrt(by.variances + EPSILON) * by.gains + by.biases;
}

inline float4 relu6(float4 x)
{
    return clamp(x, 0.0f, 6.0f);
}

static inline float4 activated(float4 x, int activation)
{
    switch (activation) {
    case RELU6:
        return relu6(x);
    case HARD_SWISH:
        return x * relu6(x + 3.0f) / 6.0f;
    case GELU:
        return 0.5f * x * (1.0f + erf(x * M_SQRT1_2_F));
    default:
        return x;
    }
}

#define OUTPUT_SIZE(n) (((n) + 2 * PAD - KERNEL) / of.stride + 1)

// The sum of the weights' products with FOUR(dx, dy), what is dx, dy from the output's upper left corner.
#define CONVOLVE(FOUR)                                                        \
    float4 sum = (float4)(0.0f);                                              \
    for (int dy = 0; dy < KERNEL; ++dy)                                       \
        for (int dx = 0; dx < KERNEL; ++dx)                                   \
            sum += weights[(dy * KERNEL + dx) * (of.channels / 4) + four] * FOUR(dx, dy); \
    const float4 made = activated(normalised(sum, normals[four]), of.activation); \
    vstore_half4(made, (y * width + x) * (of.channels / 4) + four, outputs)

// Four channels of a pixel.
static inline float4 pixel_or_0(__global const half *inputs, layer of, int four, int x, int y)
{
    if (x < 0 || x >= of.width || y < 0 || y >= of.height)
        return (float4)(0.0f);
    return vload_half4((y * of.width + x) * (of.channels / 4) + four, inputs);
}

#define FAR(dx, dy) pixel_or_0(inputs, of, four, x * of.stride - PAD + (dx), y * of.stride - PAD + (dy))
#define NEAR(dx, dy)                                                          \
    vload_half4(((get_local_id(2) * of.stride + (dy)) * near_width + get_local_id(1) * of.stride + (dx)) * FOURS \
                + get_local_id(0), near)

// The input is read from global memory.
__kernel __attribute__((reqd_work_group_size(FOURS, WIDTH, HEIGHT)))
void depthwise_convolution_global(__global const half *inputs, __constant float4 *weights,
                                  __global const normal *normals, __global half *outputs, layer of)
{
    const int four = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
    const int width = OUTPUT_SIZE(of.width);
    if (4 * four >= of.channels || x >= width || y >= OUTPUT_SIZE(of.height))
        return;
    CONVOLVE(FAR);
}

// What the work-group needs of the input lies in local memory.
__kernel __attribute__((reqd_work_group_size(FOURS, WIDTH, HEIGHT)))
void depthwise_convolution_local(__global const half *inputs, __constant float4 *weights,
                                 __global const normal *normals, __global half *outputs, layer of,
                                 __local half *near)
{
    const int four = get_global_id(0), x = get_global_id(1), y = get_global_id(2);
    const int width = OUTPUT_SIZE(of.width);
    const int near_width = (WIDTH - 1) * of.stride + KERNEL, near_height = (HEIGHT - 1) * of.stride + KERNEL;
    const int left = get_group_id(1) * WIDTH * of.stride - PAD;
    const int top = get_group_id(2) * HEIGHT * of.stride - PAD;

    for (int i = get_local_id(2) * WIDTH + get_local_id(1); i < near_width * near_height; i += WIDTH * HEIGHT) {
        const float4 pixel = 4 * four < of.channels
            ? pixel_or_0(inputs, of, four, left + i % near_width, top + i / near_width) : (float4)(0.0f);
        vstore_half4(pixel, i * FOURS + get_local_id(0), near);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (4 * four >= of.channels || x >= width || y >= OUTPUT_SIZE(of.height))
        return;
    CONVOLVE(NEAR);
}
