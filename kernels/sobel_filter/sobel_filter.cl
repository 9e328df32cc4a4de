// Half the length of the Sobel gradient at each pixel, channel by channel, cut to 0…255; after AMD's
// SDK program SobelFilter. Beyond the image's edge its outermost pixels go on. Width and height are
// multiples of TILE; a work-item makes one pixel.

// The gradient's length from the nine pixels around one (Sobel 1968: smoothing 1 2 1 across the derivative).
uchar4 half_gradient(const float4 window[3][3])
{
    const float4 horizontal = window[0][2] + 2.0f * window[1][2] + window[2][2]
                            - window[0][0] - 2.0f * window[1][0] - window[2][0];
    const float4 vertical = window[2][0] + 2.0f * window[2][1] + window[2][2]
                          - window[0][0] - 2.0f * window[0][1] - window[0][2];
    return convert_uchar4_sat(0.5f * sqrt(horizontal * horizontal + vertical * vertical));
}

// Every work-item reads its nine pixels from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sobel_filter_global(__global const uchar4 *image, __global uchar4 *edges, int width, int height)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    float4 window[3][3];
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x)
            window[y][x] = convert_float4(
                image[clamp(row + y - 1, 0, height - 1) * width + clamp(column + x - 1, 0, width - 1)]);
    edges[row * width + column] = half_gradient(window);
}

// The work-group brings its tile, with a margin of one pixel, to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void sobel_filter_local(__global const uchar4 *image, __global uchar4 *edges, int width, int height)
{
    __local uchar4 tile[TILE + 2][TILE + 2];
    const int left = get_group_id(0) * TILE - 1;
    const int top = get_group_id(1) * TILE - 1;

    for (int y = get_local_id(1); y < TILE + 2; y += TILE)
        for (int x = get_local_id(0); x < TILE + 2; x += TILE)
            tile[y][x] = image[clamp(top + y, 0, height - 1) * width + clamp(left + x, 0, width - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    float4 window[3][3];
    for (int y = 0; y < 3; ++y)
        for (int x = 0; x < 3; ++x)
            window[y][x] = convert_float4(tile[get_local_id(1) + y][get_local_id(0) + x]);
    edges[get_global_id(1) * width + get_global_id(0)] = half_gradient(window);
}
