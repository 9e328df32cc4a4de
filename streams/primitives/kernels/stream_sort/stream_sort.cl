// One pass of a stable radix sort by eight bits, least significant first (Satish, Harris, Garland 2009: tiles are sorted
// in local memory, by four bits and then by the other four, so that what goes to one place goes together).
//
// keys.cl comes before it.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY uint
#define WIDTH 256
#define ITEMS 16
KEY turned(KEY key) { return key; }
KEY turned_back(KEY key) { return key; }
#endif

#define DIGITS 256
// Of a quarter of a digit pass: four bits.
#define BINS 16
#define TILE (WIDTH * ITEMS)
// Work-items that are ITEMS apart use different banks of local memory.
#define AT(i) ((i) + (i) / 32)

// How many keys of each digit there are in each tile, digit by digit.
kernel void stream_sort_count(global const KEY *in, global uint *counts, ulong n, ulong shift, ulong first) {
    local uint found[DIGITS];
    uint me = get_local_id(0);
    found[me] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    ulong tile = get_group_id(0) * (ulong)TILE;
    for (uint i = me; i < TILE && tile + i < n; i += WIDTH) {
        KEY key = first ? turned(in[tile + i]) : in[tile + i];
        atomic_inc(&found[(uint)(key >> shift) & (DIGITS - 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    counts[me * get_num_groups(0) + get_group_id(0)] = found[me];
}

// counts[i] becomes what is before it, of BINS * WIDTH.
void scan_counts(local uint *counts, local uint *sums) {
    uint me = get_local_id(0), sum = 0;
    for (uint i = 0; i < BINS; ++i) {
        uint here = counts[AT(me * BINS + i)];
        counts[AT(me * BINS + i)] = sum;
        sum += here;
    }
    sums[me] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint apart = 1; apart < WIDTH; apart *= 2) {
        uint other = me >= apart ? sums[me - apart] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[me] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    uint before = me > 0 ? sums[me - 1] : 0;
    for (uint i = 0; i < BINS; ++i)
        counts[AT(me * BINS + i)] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Keys to their places by this digit: starts has the scanned counts.
kernel void stream_sort_scatter(global const KEY *in, global KEY *out, global const uint *starts, ulong n,
                                ulong shift, ulong first, ulong last) {
    local KEY keys[AT(TILE)];
    local uint counts[AT(BINS * WIDTH)];
    local uint sums[WIDTH];
    uint me = get_local_id(0);
    ulong tile = get_group_id(0) * (ulong)TILE;
    uint here = (uint)min(n - tile, (ulong)TILE);
    for (uint i = 0; i < ITEMS; ++i) {
        uint at = i * WIDTH + me;
        // What there is not comes last, and stays there.
        KEY key = ~(KEY)0;
        if (at < here) {
            key = in[tile + at];
            if (first)
                key = turned(key);
        }
        keys[AT(at)] = key;
    }
    for (uint part = 0; part < 8; part += 4) {
        KEY mine[ITEMS];
        uint place[ITEMS];
        for (uint i = 0; i < BINS; ++i)
            counts[AT(i * WIDTH + me)] = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            mine[i] = keys[AT(me * ITEMS + i)];
            uint bin = (uint)(mine[i] >> (shift + part)) & (BINS - 1);
            place[i] = counts[AT(bin * WIDTH + me)]++;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        scan_counts(counts, sums);
#pragma unroll
        for (uint i = 0; i < ITEMS; ++i) {
            uint bin = (uint)(mine[i] >> (shift + part)) & (BINS - 1);
            uint to = place[i] + counts[AT(bin * WIDTH + me)];
            keys[AT(to)] = mine[i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    // Where each digit begins: in all, less where in this tile.
    local uint *begins = counts;
    for (uint i = 0; i < ITEMS; ++i) {
        uint at = i * WIDTH + me;
        uint digit = (uint)(keys[AT(at)] >> shift) & (DIGITS - 1);
        if (at == 0 || ((uint)(keys[AT(at - 1)] >> shift) & (DIGITS - 1)) != digit)
            begins[digit] = starts[digit * get_num_groups(0) + get_group_id(0)] - at;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < ITEMS; ++i) {
        uint at = i * WIDTH + me;
        if (at < here) {
            KEY key = keys[AT(at)];
            uint to = begins[(uint)(key >> shift) & (DIGITS - 1)] + at;
            out[to] = last ? turned_back(key) : key;
        }
    }
}
