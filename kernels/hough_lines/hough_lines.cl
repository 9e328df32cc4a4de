// Every bright pixel votes for the lines through it, of ANGLES directions, by the line's distance from
// the corner (Duda and Hart, 1972). A work-item has a pixel, and most have nothing to say.

#define ANGLES 16
#define BRIGHT 230

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hough_lines(__global const uchar *image, __global const int2 *directions, __global int *votes,
                 int height)
{
    const int width = get_global_size(0);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int distances = 2 * width + height; // from −width to width + height

    if (image[y * width + x] <= BRIGHT)
        return;
    for (int angle = 0; angle < ANGLES; ++angle) {
        const int distance = (x * directions[angle].x + y * directions[angle].y) >> 14;
        atomic_inc(&votes[angle * distances + width + distance]);
    }
}
