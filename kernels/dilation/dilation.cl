// Every pixel becomes the brightest of those under a structuring element, whose rows are bits: bit k of row
// r stands for the pixel k − RADIUS to the right and r − RADIUS below. The image has a rim RADIUS wide,
// which is read only. A work-item has four pixels side by side.

#define RADIUS 7
#define SIDE (2 * RADIUS + 1)
#define PIXELS 4

// The place of the lowest bit that is set.
inline int lowest(uint bits)
{
    return 31 - clz(bits & (0u - bits));
}

// The largest under the element whose upper left corner is `corner`.
#define DILATED(corner, pitch)                                                \
    uchar4 largest = 0;                                                       \
    for (int row = 0; row < SIDE; ++row)                                      \
        for (uint bits = element[row]; bits != 0; bits &= bits - 1)           \
            largest = max(largest, vload4(0, (corner) + mad24(row, (pitch), lowest(bits)))); \
    vstore4(largest, 0, dilated + y * width + x)

// Pixels are read from global memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void dilation_global(__global const uchar *image, __constant ushort *element, __global uchar *dilated,
                     int width, int height)
{
    const int x = PIXELS * get_global_id(0), y = get_global_id(1);
    const int pitch = width + 2 * RADIUS;
    if (x >= width || y >= height)
        return;
    DILATED(image + y * pitch + x, pitch);
}

// The work-group's pixels, and the rim around them, lie in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void dilation_local(__global const uchar *image, __constant ushort *element, __global uchar *dilated,
                    int width, int height)
{
    __local uchar tile[(HEIGHT + 2 * RADIUS) * (PIXELS * WIDTH + 2 * RADIUS)];
    const int x = PIXELS * get_global_id(0), y = get_global_id(1);
    const int pitch = width + 2 * RADIUS, tile_pitch = PIXELS * WIDTH + 2 * RADIUS;
    const int left = get_group_id(0) * PIXELS * WIDTH, top = get_group_id(1) * HEIGHT;

    for (int row = get_local_id(1); row < HEIGHT + 2 * RADIUS && top + row < height + 2 * RADIUS; row += HEIGHT)
        for (int column = get_local_id(0); column < tile_pitch && left + column < pitch; column += WIDTH)
            tile[row * tile_pitch + column] = image[(top + row) * pitch + left + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x >= width || y >= height)
        return;
    DILATED(tile + get_local_id(1) * tile_pitch + PIXELS * get_local_id(0), tile_pitch);
}
