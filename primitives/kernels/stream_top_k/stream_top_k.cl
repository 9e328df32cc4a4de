// The k greatest of what went by; keys.cl comes before it. They are held as turned keys, in no order, with what a chunk has
// above the least of them behind. Radix selection by eight bits, most significant first, says which stay.
//
// state: [0] how many are held, [1] how many are wanted of those that equal the bits found so far, [2] how many were kept,
// [3] whether there is a least. bounds: [0] the least of the k greatest until now, [1] the bits found so far.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY uint
#define WIDTH 256
#define ITEMS 16
KEY turned(KEY key) { return key; }
KEY turned_back(KEY key) { return key; }
#endif

#define DIGITS 256
#define TILE (WIDTH * ITEMS)

// Elements that may be among the greatest go behind those that are held.
kernel void stream_top_filter(global const KEY *in, global KEY *held, global uint *state, global const KEY *bounds, ulong n) {
    local uint found, base;
    uint me = get_local_id(0), mine = 0, to = 0;
    ulong tile = get_group_id(0) * (ulong)TILE;
    bool all = !state[3];
    KEY least = bounds[0];
    if (me == 0)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < TILE && tile + i < n; i += WIDTH)
        mine += all || turned(in[tile + i]) > least;
    if (mine)
        to = atomic_add(&found, mine);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0 && found)
        base = atomic_add(&state[0], found);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (mine)
        for (uint i = me; i < TILE && tile + i < n; i += WIDTH) {
            KEY key = turned(in[tile + i]);
            if (all || key > least)
                held[base + to++] = key;
        }
}

// How many of those that have the bits found so far have which next digit.
kernel void stream_top_count(global const KEY *held, global const uint *state, global const KEY *bounds,
                             global uint *digits, ulong k, ulong shift) {
    local uint found[DIGITS];
    uint me = get_local_id(0), many = state[0];
    KEY bits = bounds[1];
    if (many <= k)
        return;
    found[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint tile = get_group_id(0) * TILE; tile < many; tile += get_num_groups(0) * TILE)
        for (uint i = me; i < TILE && tile + i < many; i += WIDTH) {
            KEY key = held[tile + i];
            // In two steps: a shift by all bits is none.
            if (key >> shift >> 8 == bits >> shift >> 8)
                atomic_inc(&found[(uint)(key >> shift) & (DIGITS - 1)]);
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (found[me])
        atomic_add(&digits[me], found[me]);
}

// The digit of the least of the k greatest, by one work-group.
kernel void stream_top_pick(global uint *state, global KEY *bounds, global uint *digits, ulong k, ulong shift, ulong first) {
    local uint upwards[DIGITS];
    uint me = get_local_id(0);
    if (state[0] <= k)
        return;
    uint wanted = first ? (uint)k : state[1], digit = DIGITS - 1 - me, mine = digits[digit];
    upwards[me] = mine;
    digits[digit] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint apart = 1; apart < DIGITS; apart *= 2) {
        uint other = me >= apart ? upwards[me - apart] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        upwards[me] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint above = upwards[me] - mine;
    // Of one digit alone, and all have read what it writes.
    if (above < wanted && wanted <= upwards[me]) {
        bounds[1] = (first ? (KEY)0 : bounds[1]) | (KEY)((KEY)digit << shift);
        state[1] = wanted - above;
    }
}

// Those that are greater than the least of the k greatest.
kernel void stream_top_keep(global const KEY *held, global KEY *kept, global uint *state, global const KEY *bounds, ulong k) {
    uint many = state[0];
    KEY least = bounds[1];
    if (many <= k)
        return;
    for (uint tile = get_group_id(0) * TILE; tile < many; tile += get_num_groups(0) * TILE)
        for (uint i = get_local_id(0); i < TILE && tile + i < many; i += WIDTH)
            if (held[tile + i] > least)
                kept[atomic_inc(&state[2])] = held[tile + i];
}

// They are held now; the rest equals the least.
kernel void stream_top_settle(global KEY *held, global const KEY *kept, global const uint *state, global const KEY *bounds,
                              ulong k) {
    ulong at = get_global_id(0);
    if (state[0] > k && at < k)
        held[at] = at < state[2] ? kept[at] : bounds[1];
}

kernel void stream_top_end(global uint *state, global KEY *bounds, ulong k) {
    if (get_global_id(0) > 0 || state[0] <= k)
        return;
    state[0] = (uint)k;
    state[2] = 0;
    state[3] = 1;
    bounds[0] = bounds[1];
}

// As elements.
kernel void stream_top_back(global KEY *held, ulong k) {
    ulong at = get_global_id(0);
    if (at < k)
        held[at] = turned_back(held[at]);
}
