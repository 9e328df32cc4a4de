// Every pixel becomes the mean of those at most `radius` from it in its row, of which the first and the
// last go on beyond the ends. A work-item goes along a row with a running sum: one pixel comes in, one
// goes out; neighbours are a row apart.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void box_blur_rows(__global const ushort *image, __global ushort *blurred, int columns, int radius)
{
    const int row = get_global_id(0) * columns;
    const uint width = 2 * radius + 1;

    uint sum = (radius + 1) * image[row];
    for (int c = 1; c <= radius; ++c)
        sum += image[row + min(c, columns - 1)];
    for (int c = 0; c < columns; ++c) {
        blurred[row + c] = sum / width;
        sum += image[row + min(c + radius + 1, columns - 1)];
        sum -= image[row + max(c - radius, 0)];
    }
}
