// escapes(x, y) = after how many steps z → z² + c leaves the circle of radius 2 about 0, at most `limit`;
// after AMD's SDK program Mandelbrot. c goes from −2 to 1 and from −1.5 to 1.5 over the image, whose sides
// are powers of 2. A work-item has one c: neighbours may need very different numbers of steps.

#pragma OPENCL FP_CONTRACT OFF // a last bit decides when a point escapes: the same on every device

__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
void mandelbrot(__global int *escapes, int width, int height, int limit)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    const float c_x = -2.0f + 3.0f * column / width;
    const float c_y = -1.5f + 3.0f * row / height;

    float x = 0.0f, y = 0.0f;
    int steps = 0;
    while (steps < limit && x * x + y * y <= 4.0f) {
        const float next_x = x * x - y * y + c_x;
        y = 2.0f * x * y + c_y;
        x = next_x;
        ++steps;
    }
    escapes[row * width + column] = steps;
}
