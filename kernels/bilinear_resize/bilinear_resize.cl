// The source image at width × height pixels, each the mean of the four source pixels around its centre,
// weighted by nearness and rounded. Beyond its edge the source's outermost pixels go on. A work-item
// makes one pixel; width and height are multiples of TILE_X and TILE_Y.

__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
void bilinear_resize(__global const uchar4 *source, __global uchar4 *target, int source_width,
                     int source_height, int width, int height)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    const float x = clamp((column + 0.5f) * source_width / width - 0.5f, 0.0f, source_width - 1.0f);
    const float y = clamp((row + 0.5f) * source_height / height - 0.5f, 0.0f, source_height - 1.0f);
    const int left = (int)x, right = min(left + 1, source_width - 1);
    const int top = (int)y, bottom = min(top + 1, source_height - 1);

    const float4 above = mix(convert_float4(source[top * source_width + left]),
                             convert_float4(source[top * source_width + right]), x - left);
    const float4 below = mix(convert_float4(source[bottom * source_width + left]),
                             convert_float4(source[bottom * source_width + right]), x - left);
    target[row * width + column] = convert_uchar4_sat_rte(mix(above, below, y - top));
}
