// Spreads out the brightness of an image by the histogram around each pixel, as contrast-limited
// equalisation does: a pixel becomes the share of those around it that are no brighter, where no bin counts
// for more than `limit`, and what is above is dealt out to all bins. Beyond the edge the outermost pixels
// go on. A work-item goes down STRETCH pixels of a column with its own histogram: one row comes in, one
// goes out.

#define BINS 64
#define BIN_OF(pixel) ((pixel) >> 2)
#define COLUMN_OF(x) clamp((x), 0, how.width - 1)
#define ROW_OF(y) clamp((y), 0, how.height - 1)

typedef struct {
    int width, height, radius;
    uint limit;
} surroundings;

// `change` to the bins of the pixels in a row of the window.
#define COUNT_ROW(BIN, row, change)                                           \
    do {                                                                      \
        __global const uchar *line = image + ROW_OF(row) * how.width;         \
        for (int dx = -how.radius; dx <= how.radius; ++dx)                    \
            BIN(BIN_OF(line[COLUMN_OF(x + dx)])) += (change);                 \
    } while (0)

// Down the column; BIN(b) is the number of pixels in bin b.
#define EQUALISE(BIN)                                                         \
    const int x = get_global_id(0);                                           \
    const int first = get_global_id(1) * STRETCH;                             \
    const int last = min(first + STRETCH, how.height) - 1;                    \
    const uint pixels = (2 * how.radius + 1) * (2 * how.radius + 1);          \
    if (x >= how.width)                                                       \
        return;                                                               \
    for (int b = 0; b < BINS; ++b)                                            \
        BIN(b) = 0;                                                           \
    for (int dy = -how.radius; dy <= how.radius; ++dy)                        \
        COUNT_ROW(BIN, first + dy, 1);                                        \
    for (int y = first; y <= last; ++y) {                                     \
        const int own = BIN_OF(image[y * how.width + x]);                     \
        uint below = 0, above_limit = 0;                                      \
        for (int b = 0; b < BINS; ++b) {                                      \
            const uint count = BIN(b);                                        \
            const uint kept = min(count, how.limit);                          \
            above_limit += count - kept;                                      \
            below += b <= own ? kept : 0;                                     \
        }                                                                     \
        equalised[y * how.width + x] = 255 * (BINS * below + (own + 1) * above_limit) / (BINS * pixels); \
        COUNT_ROW(BIN, y - how.radius, -1);                                   \
        COUNT_ROW(BIN, y + how.radius + 1, 1);                                \
    }

#define PRIVATE(b) bins[b]
#define SHARED(b) bins[(b) * GROUP + get_local_id(0)]

// The histogram is private.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void local_contrast_global(__global const uchar *image, __global uchar *equalised, surroundings how)
{
    ushort bins[BINS];
    EQUALISE(PRIVATE)
}

// The work-group's histograms lie side by side in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void local_contrast_local(__global const uchar *image, __global uchar *equalised, surroundings how,
                          __local ushort *bins)
{
    EQUALISE(SHARED)
}
