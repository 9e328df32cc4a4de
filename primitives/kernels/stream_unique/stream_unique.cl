// The first of each run of equal keys; stream_runs.cl comes before it.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#include "stream_runs.cl"
#endif

// offsets has how many runs begin before each tile.
kernel void stream_unique(global const KEY *keys, global const uint *offsets, global KEY *out, global KEY *last, ulong n,
                          ulong chunk) {
    local uint counts[WIDTH];
    uint me = get_local_id(0);
    ulong tile = get_group_id(0) * (ulong)(WIDTH * ITEMS);
    ulong start = tile + me * ITEMS;
    uint here = start < n ? (uint)min(n - start, (ulong)ITEMS) : 0;
    uint mine = 0;
    for (uint i = 0; i < here; ++i)
        mine += begins(keys, last, start + i, chunk);
    counts[me] = mine;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint apart = 1; apart < WIDTH; apart *= 2) {
        uint other = me >= apart ? counts[me - apart] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        counts[me] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint to = offsets[get_group_id(0)] + counts[me] - mine;
    for (uint i = 0; i < here; ++i)
        if (begins(keys, last, start + i, chunk))
            out[to++] = keys[start + i];
    if (me == 0 && tile + WIDTH * ITEMS >= n)
        last[chunk % 2] = keys[n - 1];
}
