// Where runs of equal keys begin. KEY is the unsigned type of the keys' width: keys are equal where their bits are.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY uint
#define WIDTH 256
#define ITEMS 16
#endif

// Whether a run begins at a place of a chunk; last has the last key of the chunk before, of every other chunk in turn.
bool begins(global const KEY *keys, global const KEY *last, ulong at, ulong chunk) {
    return at > 0 ? keys[at] != keys[at - 1] : chunk == 0 || keys[0] != last[(chunk + 1) % 2];
}

// How many runs begin in each tile of WIDTH * ITEMS keys.
kernel void stream_runs(global const KEY *keys, global uint *heads, global KEY *last, ulong n, ulong chunk) {
    local uint found;
    uint me = get_local_id(0), mine = 0;
    if (me == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong tile = get_group_id(0) * (ulong)(WIDTH * ITEMS);
    for (uint i = me; i < WIDTH * ITEMS && tile + i < n; i += WIDTH)
        mine += begins(keys, last, tile + i, chunk);
    atomic_add(&found, mine);
    if (me == 0 && tile + WIDTH * ITEMS >= n)
        last[chunk % 2] = keys[n - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0)
        heads[get_group_id(0)] = found;
}
