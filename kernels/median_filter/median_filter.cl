// Median of the 3 × 3 pixels around each pixel, channel by channel; after NVIDIA's SDK program
// MedianFilter. Beyond the image's edge its outermost pixels go on. Width and height are multiples of
// TILE; a work-item makes one pixel.

uchar4 median3(uchar4 a, uchar4 b, uchar4 c)
{
    return max(min(a, b), min(max(a, b), c));
}

// The median of nine: with each column sorted, it lies between the largest of the low ones, the median
// of the middle ones and the smallest of the high ones.
uchar4 median9(const uchar4 window[3][3])
{
    uchar4 low[3], middle[3], high[3];
    for (int x = 0; x < 3; ++x) {
        const uchar4 a = window[0][x], b = window[1][x], c = window[2][x];
        low[x] = min(min(a, b), c);
        middle[x] = median3(a, b, c);
        high[x] = max(max(a, b), c);
    }
    return median3(max(max(low[0], low[1]), low[2]),
                   median3(middle[0], middle[1], middle[2]),
                   min(min(high[0], high[1]), high[2]));
}

// Every work-item reads its nine pixels from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void median_filter_global(__global const uchar4 *image, __global uchar4 *filtered, int width, int height)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    uchar4 window[3][3];
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x)
            window[y][x] = image[clamp(row + y - 1, 0, height - 1) * width + clamp(column + x - 1, 0, width - 1)];
    filtered[row * width + column] = median9(window);
}

// The work-group brings its tile, with a margin of one pixel, to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void median_filter_local(__global const uchar4 *image, __global uchar4 *filtered, int width, int height)
{
    __local uchar4 tile[TILE + 2][TILE + 2];
    const int left = get_group_id(0) * TILE - 1;
    const int top = get_group_id(1) * TILE - 1;

    for (int y = get_local_id(1); y < TILE + 2; y += TILE)
        for (int x = get_local_id(0); x < TILE + 2; x += TILE)
            tile[y][x] = image[clamp(top + y, 0, height - 1) * width + clamp(left + x, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    uchar4 window[3][3];
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x)
            window[y][x] = tile[get_local_id(1) + y][get_local_id(0) + x];
    filtered[get_global_id(1) * width + get_global_id(0)] = median9(window);
}
