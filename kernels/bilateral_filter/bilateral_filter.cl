// Smooths an image where it is even and keeps its edges (Tomasi and Manduchi, 1998): a pixel becomes the
// mean of those around it, weighted by how near they are and how like it. The image has a rim RADIUS
// wide, which is read only. A work-item has a pixel.

#define RADIUS 3
#define NEAR 0.08f  // 1 / (2 · 2.5²): pixels
#define LIKE 12.5f  // 1 / (2 · 0.2²): brightness

// The pixel in the middle of (2 RADIUS + 1)² others, row by row `pitch` apart.
#define SMOOTHED(middle, pitch)                                                         \
    float sum = 0.0f, weights = 0.0f;                                                   \
    for (int y = -RADIUS; y <= RADIUS; ++y)                                             \
        for (int x = -RADIUS; x <= RADIUS; ++x) {                                       \
            const float pixel = (middle)[y * (pitch) + x];                              \
            const float other = pixel - *(middle);                                      \
            const float weight = exp(-NEAR * (x * x + y * y) - LIKE * other * other);   \
            sum += weight * pixel;                                                      \
            weights += weight;                                                          \
        }                                                                               \
    smoothed[get_global_id(1) * width + get_global_id(0)] = sum / weights

// Every pixel is read from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void bilateral_filter_global(__global const float *image, __global float *smoothed)
{
    const int width = get_global_size(0);
    const int pitch = width + 2 * RADIUS;
    __global const float *middle = image + (get_global_id(1) + RADIUS) * pitch + get_global_id(0) + RADIUS;
    SMOOTHED(middle, pitch);
}

// The work-group's pixels, and the rim around them, lie in local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void bilateral_filter_local(__global const float *image, __global float *smoothed)
{
    __local float tile[(TILE + 2 * RADIUS) * (TILE + 2 * RADIUS)];
    const int width = get_global_size(0);
    const int side = TILE + 2 * RADIUS;
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    for (int y = get_local_id(1); y < side; y += TILE)
        for (int x = get_local_id(0); x < side; x += TILE)
            tile[y * side + x] = image[(top + y) * (width + 2 * RADIUS) + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);

    __local const float *middle = tile + (get_local_id(1) + RADIUS) * side + get_local_id(0) + RADIUS;
    SMOOTHED(middle, side);
}
