// A pass of a radix sort: keys and what belongs to them go where the keys' digit sends them, and stay in order
// otherwise. Where each block's keys of each digit begin has been found out before. A work-item has four
// keys that lie side by side.

#define BITS 4
#define DIGITS (1 << BITS)
#define ITEMS 128 // of a block
#define DIGIT(key, shift) ((key) >> (shift) & (DIGITS - 1))
#define SHARERS (ITEMS / DIGITS) // work-items that add up a digit's counters
#define SHARE (ITEMS / SHARERS)

#define COUNT(counts, keys, shift)       \
    {                                    \
        ++counts[DIGIT(keys.x, shift)];  \
        ++counts[DIGIT(keys.y, shift)];  \
        ++counts[DIGIT(keys.z, shift)];  \
        ++counts[DIGIT(keys.w, shift)];  \
    }

#define MOVE(key, row, place)        \
    {                                \
        const uint to = place;       \
        sorted_keys[to] = key;       \
        sorted_rows[to] = row;       \
    }

// Counts the block's keys before its own.
__kernel void radix_scatter_global(__global const uint4 *keys, __global const uint4 *rows,
                                   __global const uint *starts, __global uint *sorted_keys,
                                   __global uint *sorted_rows, uint shift)
{
    const uint item = get_global_id(0), own = get_local_id(0);
    const uint block = get_group_id(0), blocks = get_num_groups(0);

    uint places[DIGITS];
    #pragma unroll
    for (uint digit = 0; digit < DIGITS; ++digit)
        places[digit] = starts[digit * blocks + block];
    for (uint i = item - own; i < item; ++i) {
        const uint4 before = keys[i];
        COUNT(places, before, shift)
    }
    const uint4 key = keys[item], row = rows[item];
    MOVE(key.x, row.x, places[DIGIT(key.x, shift)]++)
    MOVE(key.y, row.y, places[DIGIT(key.y, shift)]++)
    MOVE(key.z, row.z, places[DIGIT(key.z, shift)]++)
    MOVE(key.w, row.w, places[DIGIT(key.w, shift)]++)
}

// Each work-item has a counter of each digit in local memory; sums of those before say the places.
__kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1)))
void radix_scatter_local(__global const uint4 *keys, __global const uint4 *rows, __global const uint *starts,
                         __global uint *sorted_keys, __global uint *sorted_rows, uint shift)
{
    __local uint counters[DIGITS * ITEMS];
    __local uint sums[ITEMS];
    const uint item = get_global_id(0), own = get_local_id(0);
    const uint block = get_group_id(0), blocks = get_num_groups(0);

    #pragma unroll
    for (uint digit = 0; digit < DIGITS; ++digit)
        counters[digit * ITEMS + own] = 0;
    const uint4 key = keys[item], row = rows[item];
    ++counters[DIGIT(key.x, shift) * ITEMS + own];
    ++counters[DIGIT(key.y, shift) * ITEMS + own];
    ++counters[DIGIT(key.z, shift) * ITEMS + own];
    ++counters[DIGIT(key.w, shift) * ITEMS + own];
    barrier(CLK_LOCAL_MEM_FENCE);

    __local uint *share = counters + own * SHARE;
    uint sum = 0;
    for (uint i = 0; i < SHARE; ++i)
        sum += share[i];
    sums[own] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    uint place = starts[own / SHARERS * blocks + block];
    for (uint i = own / SHARERS * SHARERS; i < own; ++i)
        place += sums[i];
    for (uint i = 0; i < SHARE; ++i) {
        const uint count = share[i];
        share[i] = place;
        place += count;
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    MOVE(key.x, row.x, counters[DIGIT(key.x, shift) * ITEMS + own]++)
    MOVE(key.y, row.y, counters[DIGIT(key.y, shift) * ITEMS + own]++)
    MOVE(key.z, row.z, counters[DIGIT(key.z, shift) * ITEMS + own]++)
    MOVE(key.w, row.w, counters[DIGIT(key.w, shift) * ITEMS + own]++)
}
