// Grades colours as films are graded: every channel by a curve, then all three together by a table of
// SIDE³ colours, between which lie straight lines; `strength` says how much of it is seen. Pixels that are
// blown out, or quite black, are counted. Work-items stride through the pixels.

#define STEPS 16
#define LAST (SIDE - 2) // the last cell begins here
#define PLACE(r, g, b) mad24(mad24((b), SIDE, (g)), SIDE, (r))

typedef struct {
    int pixels;
    float strength;
} grading;

// (k / STEPS)^0.8
__constant float curve[STEPS + 1] = {
    0.0000000f, 0.1088188f, 0.1894646f, 0.2620602f, 0.3298770f, 0.3943483f, 0.4562733f, 0.5161577f, 0.5743492f,
    0.6310998f, 0.6866003f, 0.7409999f, 0.7944179f, 0.8469518f, 0.8986828f, 0.9496794f, 1.0000000f,
};

inline float on_curve(float x)
{
    const int step = min((int)(x * STEPS), STEPS - 1);
    return mix(curve[step], curve[step + 1], x * STEPS - step);
}

// Where a pixel's colour lies in the table, in cells.
static inline float4 place_of(uchar4 pixel)
{
    const float4 x = convert_float4(pixel) / 255.0f;
    return (SIDE - 1.0f) * (float4)(on_curve(x.x), on_curve(x.y), on_curve(x.z), 0.0f);
}

#define ALONG(table, r, g, b, part) mix((table)[PLACE(r, g, b)], (table)[PLACE((r) + 1, g, b)], part)

// The eight colours around a place, weighted by how near they are.
#define LOOKED_UP(table, c, part)                                             \
    mix(mix(ALONG(table, (c).x, (c).y, (c).z, (part).x),                      \
            ALONG(table, (c).x, (c).y + 1, (c).z, (part).x), (part).y),       \
        mix(ALONG(table, (c).x, (c).y, (c).z + 1, (part).x),                  \
            ALONG(table, (c).x, (c).y + 1, (c).z + 1, (part).x), (part).y), (part).z)

#define GRADE(table, blown, black)                                            \
    for (int i = get_global_id(0); i < how.pixels; i += get_global_size(0)) { \
        const uchar4 pixel = pixels[i];                                       \
        const float4 place = place_of(pixel);                                 \
        const int4 cell = min(convert_int4(place), LAST);                     \
        const float4 colour = LOOKED_UP(table, cell, place - convert_float4(cell)); \
        uchar4 made = convert_uchar4_sat_rte(mix(convert_float4(pixel), 255.0f * colour, how.strength)); \
        made.w = pixel.w;                                                     \
        graded[i] = made;                                                     \
        blown += max(max(pixel.x, pixel.y), pixel.z) == 255;                  \
        black += (pixel.x | pixel.y | pixel.z) < 16;                          \
    }

// The table is read where it is.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void colour_lookup_global(__global const uchar4 *pixels, __constant float4 *table, __global uchar4 *graded,
                          __global uint *extremes, grading how)
{
    uint blown = 0, black = 0;
    GRADE(table, blown, black);
    if (blown > 0)
        atomic_add(&extremes[0], blown);
    if (black > 0)
        atomic_add(&extremes[1], black);
}

// The table lies in local memory, where the work-group counts too.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void colour_lookup_local(__global const uchar4 *pixels, __constant float4 *table, __global uchar4 *graded,
                         __global uint *extremes, grading how, __local float4 *near)
{
    __local uint counts[2];
    const int item = get_local_id(0);

    for (int i = item; i < SIDE * SIDE * SIDE; i += GROUP)
        near[i] = table[i];
    if (item < 2)
        counts[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint blown = 0, black = 0;
    GRADE(near, blown, black);
    atomic_add(&counts[0], blown);
    atomic_add(&counts[1], black);
    barrier(CLK_LOCAL_MEM_FENCE); // all have counted
    if (item < 2)
        atomic_add(&extremes[item], counts[item]);
}
