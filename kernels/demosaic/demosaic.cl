// A camera's picture, whose every pixel has seen one colour alone (red and green in even rows, green and
// blue in odd ones), in all three colours: the two that a pixel lacks are estimated from the 5 × 5 around it
// by linear filters that know that colours change together (Malvar, He and Cutler, 2004). Beyond the edge
// the picture is mirrored, which keeps the colours' places. A work-item has a pixel.

#define RADIUS 2
#define SIDE (2 * RADIUS + 1)
#define MIRRORED(i, n) ((i) < 0 ? -(i) : (i) >= (n) ? 2 * (n) - 2 - (i) : (i))

enum { GREEN, ALONG_ROW, ALONG_COLUMN, DIAGONAL };

// By what is estimated from where; in 16ths.
__constant char filters[4][SIDE * SIDE] = {
    {0, 0, -2, 0, 0,  0, 0, 4, 0, 0,  -2, 4, 8, 4, -2,  0, 0, 4, 0, 0,  0, 0, -2, 0, 0},
    {0, 0, 1, 0, 0,  0, -2, 0, -2, 0,  -2, 8, 10, 8, -2,  0, -2, 0, -2, 0,  0, 0, 1, 0, 0},
    {0, 0, -2, 0, 0,  0, -2, 8, -2, 0,  1, 0, 10, 0, 1,  0, -2, 8, -2, 0,  0, 0, -2, 0, 0},
    {0, 0, -3, 0, 0,  0, 4, 0, 4, 0,  -3, 0, 12, 0, -3,  0, 4, 0, 4, 0,  0, 0, -3, 0, 0},
};

typedef struct {
    float4 gains;
    int width, height, black;
} camera;

// The sum over the pixels around, which AT(dx, dy) gives.
#define FILTERED(result, AT, filter)                                          \
    do {                                                                      \
        int sum = 0;                                                          \
        for (int tap = 0; tap < SIDE * SIDE; ++tap)                           \
            sum += filters[filter][tap] * AT(tap % SIDE - RADIUS, tap / SIDE - RADIUS); \
        (result) = sum / 16.0f;                                               \
    } while (0)

#define DEVELOP(AT)                                                           \
    float4 colour = (float4)(how.black);                                      \
    switch ((y & 1) << 1 | (x & 1)) {                                         \
    case 0:                                                                   \
        colour.x = AT(0, 0);                                                  \
        FILTERED(colour.y, AT, GREEN);                                        \
        FILTERED(colour.z, AT, DIAGONAL);                                     \
        break;                                                                \
    case 1:                                                                   \
        FILTERED(colour.x, AT, ALONG_ROW);                                    \
        colour.y = AT(0, 0);                                                  \
        FILTERED(colour.z, AT, ALONG_COLUMN);                                 \
        break;                                                                \
    case 2:                                                                   \
        FILTERED(colour.x, AT, ALONG_COLUMN);                                 \
        colour.y = AT(0, 0);                                                  \
        FILTERED(colour.z, AT, ALONG_ROW);                                    \
        break;                                                                \
    default:                                                                  \
        FILTERED(colour.x, AT, DIAGONAL);                                     \
        FILTERED(colour.y, AT, GREEN);                                        \
        colour.z = AT(0, 0);                                                  \
    }                                                                         \
    colours[y * how.width + x] = convert_ushort4_sat_rte((colour - how.black) * how.gains)

static inline int seen(__global const ushort *mosaic, camera how, int x, int y)
{
    return mosaic[MIRRORED(y, how.height) * how.width + MIRRORED(x, how.width)];
}

#define SEEN(dx, dy) seen(mosaic, how, x + (dx), y + (dy))
#define NEAR(dx, dy)                                                          \
    (int)near[((int)get_local_id(1) + RADIUS + (dy)) * PITCH + (int)get_local_id(0) + RADIUS + (dx)]
#define PITCH (WIDTH + 2 * RADIUS)

// Every pixel is read from global memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void demosaic_global(__global const ushort *mosaic, __global ushort4 *colours, camera how)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= how.width || y >= how.height)
        return;
    DEVELOP(SEEN);
}

// The work-group's pixels, and those around them, lie in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void demosaic_local(__global const ushort *mosaic, __global ushort4 *colours, camera how)
{
    __local ushort near[PITCH * (HEIGHT + 2 * RADIUS)];
    const int x = get_global_id(0), y = get_global_id(1);
    const int left = get_group_id(0) * WIDTH - RADIUS, top = get_group_id(1) * HEIGHT - RADIUS;

    for (int i = get_local_id(1) * WIDTH + get_local_id(0); i < PITCH * (HEIGHT + 2 * RADIUS);
         i += WIDTH * HEIGHT) {
        // Where the launch goes beyond the picture, anything will do.
        const int column = min(left + i % PITCH, how.width + RADIUS - 1);
        const int row = min(top + i / PITCH, how.height + RADIUS - 1);
        near[i] = seen(mosaic, how, column, row);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= how.width || y >= how.height)
        return;
    DEVELOP(NEAR);
}
