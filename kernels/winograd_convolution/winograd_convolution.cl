// Each output channel is the sum of all input channels, each convolved with 3 × 3 weights of its own, by
// Winograd's way: 4 × 4 pixels and the weights are taken to 16 points, multiplied there, added up over
// channels, and taken back to 2 × 2 pixels: 16 products in place of 36. Input channels have a rim one pixel
// wide. A work-item makes a tile of 2 × 2 pixels of an output channel.

#define POINTS 4
#define WEIGHTS 3
#define PIXELS 2
#define SLOPE 0.125f

__constant float from_image[POINTS][POINTS] = {
    {1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1},
};
__constant float from_weights[POINTS][WEIGHTS] = {
    {1, 0, 0}, {0.5f, 0.5f, 0.5f}, {0.5f, -0.5f, 0.5f}, {0, 0, 1},
};
__constant float to_pixels[PIXELS][POINTS] = {
    {1, 1, 1, 0}, {0, 1, -1, -1},
};

typedef struct {
    int inputs, outputs, side; // pixels of an output's side, an even number
} layer;

// result = matrix · square · matrixᵀ: m × m numbers of n × n, which NUMBER(i, j) gives.
#define ON_BOTH_SIDES(result, matrix, m, n, NUMBER)                           \
    do {                                                                      \
        float between[(m) * (n)];                                             \
        _Pragma("unroll")                                                     \
        for (int i = 0; i < (m); ++i)                                         \
            _Pragma("unroll")                                                 \
            for (int j = 0; j < (n); ++j) {                                   \
                float sum = 0.0f;                                             \
                _Pragma("unroll")                                             \
                for (int k = 0; k < (n); ++k)                                 \
                    sum += matrix[i][k] * NUMBER(k, j);                       \
                between[i * (n) + j] = sum;                                   \
            }                                                                 \
        _Pragma("unroll")                                                     \
        for (int i = 0; i < (m); ++i)                                         \
            _Pragma("unroll")                                                 \
            for (int j = 0; j < (m); ++j) {                                   \
                float sum = 0.0f;                                             \
                _Pragma("unroll")                                             \
                for (int k = 0; k < (n); ++k)                                 \
                    sum += between[i * (n) + k] * matrix[j][k];               \
                (result)[i * (m) + j] = sum;                                  \
            }                                                                 \
    } while (0)

#define WEIGHT(i, j) weights[(i) * WEIGHTS + (j)]
#define PIXEL(i, j) image[(i) * (of.side + 2) + (j)]
#define POINT(i, j) sums[(i) * POINTS + (j)]

static inline void weights_to_points(__global const float *weights, float *points)
{
    ON_BOTH_SIDES(points, from_weights, POINTS, WEIGHTS, WEIGHT);
}

static inline void add_products(float *sums, __global const float *image, layer of, const float *by)
{
    float points[POINTS * POINTS];
    ON_BOTH_SIDES(points, from_image, POINTS, POINTS, PIXEL);
    #pragma unroll
    for (int i = 0; i < POINTS * POINTS; ++i)
        sums[i] += points[i] * by[i];
}

inline float leaky(float x)
{
    return x < 0.0f ? SLOPE * x : x;
}

static inline void store_pixels(__global float *results, layer of, int x, int y, int output, float bias,
                                const float *sums)
{
    float pixels[PIXELS * PIXELS];
    ON_BOTH_SIDES(pixels, to_pixels, PIXELS, POINTS, POINT);
    __global float *tile = results + (output * of.side + PIXELS * y) * of.side + PIXELS * x;
    vstore2((float2)(leaky(pixels[0] + bias), leaky(pixels[1] + bias)), 0, tile);
    vstore2((float2)(leaky(pixels[2] + bias), leaky(pixels[3] + bias)), 0, tile + of.side);
}

#define UPPER_LEFT(input) (images + ((input) * (of.side + 2) + PIXELS * y) * (of.side + 2) + PIXELS * x)

// Every work-item takes the weights to points by itself.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void winograd_convolution_global(__global const float *images, __global const float *weights,
                                 __global const float *biases, __global float *results, layer of)
{
    const int x = get_global_id(0), y = get_global_id(1), output = get_global_id(2);
    if (PIXELS * x >= of.side || PIXELS * y >= of.side)
        return;

    float sums[POINTS * POINTS] = {0.0f};
    for (int input = 0; input < of.inputs; ++input) {
        float by[POINTS * POINTS];
        weights_to_points(weights + (output * of.inputs + input) * WEIGHTS * WEIGHTS, by);
        add_products(sums, UPPER_LEFT(input), of, by);
    }
    store_pixels(results, of, x, y, output, biases[output], sums);
}

// The work-group takes the weights of CHUNK channels at a time to points in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void winograd_convolution_local(__global const float *images, __global const float *weights,
                                __global const float *biases, __global float *results, layer of,
                                __local float *near)
{
    const int x = get_global_id(0), y = get_global_id(1), output = get_global_id(2);
    const int item = get_local_id(1) * WIDTH + get_local_id(0);
    const bool is_inside = PIXELS * x < of.side && PIXELS * y < of.side;

    float sums[POINTS * POINTS] = {0.0f}, by[POINTS * POINTS];
    for (int first = 0; first < of.inputs; first += CHUNK) {
        const int channels = min(CHUNK, of.inputs - first);
        if (item < channels) {
            weights_to_points(weights + (output * of.inputs + first + item) * WEIGHTS * WEIGHTS, by);
            for (int i = 0; i < POINTS * POINTS; ++i)
                near[item * POINTS * POINTS + i] = by[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the weights are complete
        for (int channel = 0; is_inside && channel < channels; ++channel) {
            #pragma unroll
            for (int i = 0; i < POINTS * POINTS; ++i)
                by[i] = near[channel * POINTS * POINTS + i];
            add_products(sums, UPPER_LEFT(first + channel), of, by);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // all have used them
    }
    if (is_inside)
        store_pixels(results, of, x, y, output, biases[output], sums);
}
