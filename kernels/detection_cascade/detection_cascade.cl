// Looks for an object in every window of an image, as faces are found (Viola and Jones, 2001): a cascade of
// stages, of which each asks some features, and most windows are given up at an early one. A feature
// compares the mean brightness of two rectangles, by the corners of a summed image, with a threshold that is
// relative to the window's contrast. A work-item has a window.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define WINDOW 24
#define AREA (WINDOW * WINDOW)
#define WITHIN(sums, corner, x, y, width, height)                             \
    ((sums)[(corner) + ((y) + (height)) * pitch + (x) + (width)]              \
     - (sums)[(corner) + (y) * pitch + (x) + (width)]                         \
     - (sums)[(corner) + ((y) + (height)) * pitch + (x)]                      \
     + (sums)[(corner) + (y) * pitch + (x)])

typedef struct {
    uchar4 first, second; // left, top, width, height
    float threshold;
    int2 votes; // if it is below the threshold, and if not
} feature;

typedef struct {
    int begin, end; // of its features
    int least; // votes to go on
} stage;

// The sum of pixels in a rectangle of a window; sums are modulo 2³².
static inline int brightness(__global const uint *sums, int pitch, int corner, uchar4 part)
{
    return WITHIN(sums, corner, part.x, part.y, part.z, part.w);
}

static inline int area(uchar4 part)
{
    return part.z * part.w;
}

// AREA times the standard deviation of the window's pixels, or 1.
static inline double contrast(__global const uint *sums, __global const ulong *squares, int pitch, int corner)
{
    const int sum = WITHIN(sums, corner, 0, 0, WINDOW, WINDOW);
    const long square = WITHIN(squares, corner, 0, 0, WINDOW, WINDOW);
    const double spread = (double)square * AREA - (double)sum * sum;
    return spread > 1.0 ? sqrt(spread) : 1.0;
}

#define JUDGE(features, stages)                                               \
    const int x = get_global_id(0), y = get_global_id(1);                     \
    if (x > width - WINDOW || y > height - WINDOW)                            \
        return;                                                               \
    const int pitch = width + 1, corner = y * pitch + x;                      \
    const double scale = contrast(sums, squares, pitch, corner);              \
    int passed = 0;                                                           \
    for (; passed < stages_number; ++passed) {                                \
        int votes = 0;                                                        \
        for (int i = (stages)[passed].begin; i < (stages)[passed].end; ++i) { \
            const uchar4 first = (features)[i].first, second = (features)[i].second; \
            const int apart = brightness(sums, pitch, corner, first) * area(second) \
                              - brightness(sums, pitch, corner, second) * area(first); \
            votes += apart < (features)[i].threshold * scale ? (features)[i].votes.x : (features)[i].votes.y; \
        }                                                                     \
        if (votes < (stages)[passed].least)                                   \
            break;                                                            \
    }                                                                         \
    reached[y * (width - WINDOW + 1) + x] = passed;                           \
    if (passed > 0)                                                           \
        atomic_inc(&passes[passed - 1])

// The cascade is read from global memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void detection_cascade_global(__global const uint *sums, __global const ulong *squares,
                              __global const feature *features, __global const stage *stages,
                              __global uchar *reached, __global uint *passes, int width, int height,
                              int stages_number)
{
    JUDGE(features, stages);
}

// The cascade lies in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, HEIGHT, 1)))
void detection_cascade_local(__global const uint *sums, __global const ulong *squares,
                             __global const feature *features, __global const stage *stages,
                             __global uchar *reached, __global uint *passes, int width, int height,
                             int stages_number, __local feature *near_features, __local stage *near_stages)
{
    const int item = get_local_id(1) * WIDTH + get_local_id(0);

    for (int i = item; i < stages_number; i += WIDTH * HEIGHT)
        near_stages[i] = stages[i];
    for (int i = item; i < stages[stages_number - 1].end; i += WIDTH * HEIGHT)
        near_features[i] = features[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    JUDGE(near_features, near_stages);
}
