// Sorts rows of ROW numbers by Batcher's bitonic network (1968), which compares the same places whatever the
// numbers are. A work-item has a row in private memory.

#define ROW 32
#define QUADS (ROW / 4)

#ifndef KEY
#define KEY float
#endif

// Of a pair that lies `distance` apart; runs of `run` keys go up and down in turn.
#define FIRST(pair, distance) (2 * (pair) - ((pair) & ((distance) - 1)))
#define COMPARE(keys, run, distance)                                              \
    _Pragma("unroll")                                                             \
    for (int pair = 0; pair < ROW / 2; ++pair) {                                  \
        const int a = FIRST(pair, distance), b = a + (distance);                  \
        const KEY low = min(keys[a], keys[b]), high = max(keys[a], keys[b]);      \
        keys[a] = (a & (run)) == 0 ? low : high;                                  \
        keys[b] = (a & (run)) == 0 ? high : low;                                  \
    }

static inline void sort(KEY *keys)
{
    COMPARE(keys, 2, 1)
    COMPARE(keys, 4, 2)
    COMPARE(keys, 4, 1)
    COMPARE(keys, 8, 4)
    COMPARE(keys, 8, 2)
    COMPARE(keys, 8, 1)
    COMPARE(keys, 16, 8)
    COMPARE(keys, 16, 4)
    COMPARE(keys, 16, 2)
    COMPARE(keys, 16, 1)
    COMPARE(keys, 32, 16)
    COMPARE(keys, 32, 8)
    COMPARE(keys, 32, 4)
    COMPARE(keys, 32, 2)
    COMPARE(keys, 32, 1)
}

// Loads and stores its row by itself, four numbers at a time.
__kernel void sorting_network_global(__global const KEY *restrict unsorted, __global KEY *restrict sorted, uint rows)
{
    const uint row = get_global_id(0);
    if (row >= rows)
        return;

    KEY keys[ROW];
    #pragma unroll
    for (uint i = 0; i < QUADS; ++i)
        vstore4(vload4(row * QUADS + i, unsorted), i, keys);
    sort(keys);
    #pragma unroll
    for (uint i = 0; i < QUADS; ++i)
        vstore4(vload4(i, keys), row * QUADS + i, sorted);
}

// A work-group's rows come and go through local memory, so that neighbours load and store what lies side by
// side; rows are a number farther apart there, which spreads them over the banks.
__kernel void sorting_network_local(__global const KEY *restrict unsorted, __global KEY *restrict sorted, uint rows)
{
    __local KEY tile[GROUP][ROW + 1];
    const uint own = get_local_id(0);
    const uint start = get_group_id(0) * GROUP * ROW;
    const uint count = min((uint)GROUP * ROW, rows * ROW - start);

    for (uint i = own; i < count; i += GROUP)
        tile[i / ROW][i % ROW] = unsorted[start + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    if (get_global_id(0) < rows) {
        KEY keys[ROW];
        #pragma unroll
        for (uint i = 0; i < ROW; ++i)
            keys[i] = tile[own][i];
        sort(keys);
        #pragma unroll
        for (uint i = 0; i < ROW; ++i)
            tile[own][i] = keys[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = own; i < count; i += GROUP)
        sorted[start + i] = tile[i / ROW][i % ROW];
}
