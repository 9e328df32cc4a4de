// Takes noise off an image: a pixel becomes the mean of those around it, weighted by how alike the 3 × 3
// around each are to its own (Buades, Coll and Morel, 2005). Beyond the edge the outermost pixels go on. A
// work-item has a pixel.

#define SEARCH 3
#define PATCH 1
#define RIM (SEARCH + PATCH)

typedef struct {
    int width, height;
    float falloff;
} picture;

// Squared, of red, green and blue.
static inline int apart(uchar4 a, uchar4 b)
{
    const int4 d = convert_int4(a) - convert_int4(b);
    return mad24(d.x, d.x, mad24(d.y, d.y, mul24(d.z, d.z)));
}

static inline uchar4 pixel_at(__global const uchar4 *image, picture of, int x, int y)
{
    return image[clamp(y, 0, of.height - 1) * of.width + clamp(x, 0, of.width - 1)];
}

// PIXEL(dx, dy) is the pixel so far from the work-item's own.
#define DENOISE(PIXEL)                                                        \
    float4 sum = (float4)(0.0f);                                              \
    float weights = 0.0f;                                                     \
    for (int sy = -SEARCH; sy <= SEARCH; ++sy)                                \
        for (int sx = -SEARCH; sx <= SEARCH; ++sx) {                          \
            int unlike = 0;                                                   \
            _Pragma("unroll")                                                 \
            for (int py = -PATCH; py <= PATCH; ++py)                          \
                _Pragma("unroll")                                             \
                for (int px = -PATCH; px <= PATCH; ++px)                      \
                    unlike += apart(PIXEL(px, py), PIXEL(sx + px, sy + py));  \
            const float weight = native_exp(-of.falloff * unlike);            \
            sum += weight * convert_float4(PIXEL(sx, sy));                    \
            weights += weight;                                                \
        }                                                                     \
    denoised[y * of.width + x] = convert_uchar4_sat_rte(sum / weights)

#define FAR(dx, dy) pixel_at(image, of, x + (dx), y + (dy))
#define NEAR(dx, dy) tile[((int)get_local_id(1) + RIM + (dy)) * PITCH + (int)get_local_id(0) + RIM + (dx)]
#define PITCH (WIDTH + 2 * RIM)

// Every pixel is read from global memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void non_local_means_global(__global const uchar4 *image, __global uchar4 *denoised, picture of)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= of.width || y >= of.height)
        return;
    DENOISE(FAR);
}

// The work-group's pixels, and those around them, lie in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void non_local_means_local(__global const uchar4 *image, __global uchar4 *denoised, picture of)
{
    __local uchar4 tile[PITCH * (HEIGHT + 2 * RIM)];
    const int x = get_global_id(0), y = get_global_id(1);
    const int left = get_group_id(0) * WIDTH - RIM, top = get_group_id(1) * HEIGHT - RIM;

    for (int i = get_local_id(1) * WIDTH + get_local_id(0); i < PITCH * (HEIGHT + 2 * RIM); i += WIDTH * HEIGHT)
        tile[i] = pixel_at(image, of, left + i % PITCH, top + i / PITCH);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= of.width || y >= of.height)
        return;
    DENOISE(NEAR);
}
