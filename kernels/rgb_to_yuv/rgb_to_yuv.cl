// Each pixel's luminance and chrominance by ITU-R BT.601 (16…235 and 16…240), in whole numbers scaled by
// 256 and rounded; alpha stays. A work-item has one pixel.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void rgb_to_yuv(__global const uchar4 *colours, __global uchar4 *yuv)
{
    const int pixel = get_global_id(0);
    const int4 c = convert_int4(colours[pixel]);

    const int luminance = ((66 * c.x + 129 * c.y + 25 * c.z + 128) >> 8) + 16;
    const int blueness = ((-38 * c.x - 74 * c.y + 112 * c.z + 128) >> 8) + 128;
    const int redness = ((112 * c.x - 94 * c.y - 18 * c.z + 128) >> 8) + 128;
    yuv[pixel] = convert_uchar4((int4)(luminance, blueness, redness, c.w));
}
