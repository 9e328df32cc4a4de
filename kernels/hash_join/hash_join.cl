// Joins a table of sales with a hash table of articles and adds up what was taken, by the articles' groups, as
// databases do for `select group, sum(cents * quantity) .. join .. group by group`. A bitmap says which sales an
// earlier condition has left. A work-item has a sale, and those that follow a launch's width apart.

#define GROUPS 256
#define MULTIPLIER 2654435761u
#define IS_SET(bits, i) ((bits)[(i) >> 5] >> ((i) & 31) & 1)

typedef struct {
    uint key;
    int next; // article with the same hash; −1: there is none
    uint cents;
    ushort group;
} article;

typedef struct {
    uint sales;
    uint mask; // of hashes
    uchar least_quantity;
} plan;

inline uint hash(uint key)
{
    return key * MULTIPLIER;
}

// Adds a sale to the totals, whatever memory they are in.
#define ADD_SALE(totals, i)                                                            \
    if (IS_SET(left, i) && quantities[i] >= with.least_quantity) {                     \
        const uint key = sold[i];                                                      \
        for (int at = heads[hash(key) & with.mask]; at >= 0; at = articles[at].next) { \
            if (articles[at].key != key)                                               \
                continue;                                                              \
            const article found = articles[at];                                        \
            atomic_add(&totals[found.group], found.cents * quantities[i]);             \
            break;                                                                     \
        }                                                                              \
    }

__kernel void hash_join_global(__global const uint *left, __global const uint *sold, __global const uchar *quantities,
                               __global const int *heads, __global const article *articles,
                               __global uint *totals, plan with)
{
    for (uint i = get_global_id(0); i < with.sales; i += get_global_size(0))
        ADD_SALE(totals, i)
}

// A work-group adds up in local memory first.
__kernel void hash_join_local(__global const uint *left, __global const uint *sold, __global const uchar *quantities,
                              __global const int *heads, __global const article *articles,
                              __global uint *totals, plan with)
{
    __local uint sums[GROUPS];
    for (uint group = get_local_id(0); group < GROUPS; group += get_local_size(0))
        sums[group] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < with.sales; i += get_global_size(0))
        ADD_SALE(sums, i)
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint group = get_local_id(0); group < GROUPS; group += get_local_size(0))
        if (sums[group] != 0)
            atomic_add(&totals[group], sums[group]);
}
