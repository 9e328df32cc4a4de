// Bags of words as single vectors: the rows of a table that a bag's words name, weighted and added up, or
// their mean, or the largest of each component. Words that are no words (−1) are left out. A row is `lanes`
// float4.

enum { SUM, MEAN, LARGEST };

typedef struct {
    int bags, lanes, mode;
} pooling;

#define START(mode) ((mode) == LARGEST ? (float4)(-INFINITY) : (float4)(0.0f))

static inline float4 pooled(float4 a, float4 b, int mode)
{
    return mode == LARGEST ? fmax(a, b) : a + b;
}

// The bag's words from `first` on, every `step`th; `words` counts them.
static inline float4 gathered(__global const float4 *table, __global const int *ids,
                              __global const float *weights, pooling how, int lane, int first, int end,
                              int step, int *words)
{
    float4 all = START(how.mode);
    for (int i = first; i < end; i += step) {
        const int id = ids[i];
        if (id < 0)
            continue;
        const float4 row = table[id * how.lanes + lane];
        all = pooled(all, how.mode == SUM ? weights[i] * row : row, how.mode);
        ++*words;
    }
    return all;
}

inline float4 finished(float4 all, int words, int mode)
{
    switch (mode) {
    case MEAN:
        return all / (float)max(words, 1);
    case LARGEST:
        return words > 0 ? all : (float4)(0.0f);
    default:
        return all;
    }
}

// A work-item has a float4 of a bag.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void embedding_bag_global(__global const float4 *table, __global const int *starts, __global const int *ids,
                          __global const float *weights, __global float4 *vectors, pooling how)
{
    const int item = get_global_id(0);
    if (item >= how.bags * how.lanes)
        return;
    const int bag = item / how.lanes, lane = item % how.lanes;

    int words = 0;
    const float4 all = gathered(table, ids, weights, how, lane, starts[bag], starts[bag + 1], 1, &words);
    vectors[item] = finished(all, words, how.mode);
}

// A work-group has a bag: SLICES parts of its words, which meet in local memory. A row is LANES float4.
__kernel __attribute__((reqd_work_group_size(LANES, SLICES, 1)))
void embedding_bag_local(__global const float4 *table, __global const int *starts, __global const int *ids,
                         __global const float *weights, __global float4 *vectors, pooling how,
                         __local float4 *parts, __local int *counts)
{
    const int lane = get_local_id(0), slice = get_local_id(1), bag = get_group_id(1);

    int words = 0;
    float4 all = gathered(table, ids, weights, how, lane, starts[bag] + slice, starts[bag + 1], SLICES, &words);
    parts[slice * LANES + lane] = all;
    counts[slice * LANES + lane] = words;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (slice > 0)
        return;
    for (int other = 1; other < SLICES; ++other) {
        all = pooled(all, parts[other * LANES + lane], how.mode);
        words += counts[other * LANES + lane];
    }
    vectors[bag * LANES + lane] = finished(all, words, how.mode);
}
