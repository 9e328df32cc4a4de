// Runs of equal keys, whose values become one each. stream_pairs.cl and stream_runs.cl come before it, and stream_reduce.cl
// and stream_scan.cl with pairs as their elements.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#include "stream_pairs.cl"
#include "stream_runs.cl"
#include "stream_reduce.cl"
#include "stream_scan.cl"
#endif

stream_pair pair_at(global const KEY *keys, global const VALUE *values, global const KEY *last, ulong at,
                    ulong chunk) {
    stream_pair pair;
    pair.runs = begins(keys, last, at, chunk);
    pair.value = values[at];
    return pair;
}

// One pair of each tile, as stream_reduce makes one element.
kernel void stream_by_key_tiles(global const KEY *keys, global const VALUE *values, global const KEY *last,
                                global stream_pair *tiles, ulong n, ulong chunk CAPTURED) {
    local stream_pair sums[PLACE(WIDTH)];
    local stream_pair totals[WIDTH / SPREAD];
    uint me = get_local_id(0);
    ulong tile = get_group_id(0) * (ulong)TILE;
    ulong start = tile + me * ITEMS;
    if (start < n) {
        uint here = (uint)min(n - start, (ulong)ITEMS);
        stream_pair sum = pair_at(keys, values, last, start, chunk);
        for (uint i = 1; i < here; ++i)
            sum = joined(sum, pair_at(keys, values, last, start + i, chunk) PASSED);
        sums[PLACE(me)] = sum;
    }
    uint active = (uint)min((n - tile + ITEMS - 1) / ITEMS, (ulong)WIDTH);
    sum_of_group(sums, totals, active, tiles + get_group_id(0) PASSED);
}

// A run's key is written where it begins, its value where the next one begins, or where all ends. tiles is what comes
// before each tile, keys_before how many runs begin before the chunk, values_before how many end before it.
kernel void stream_by_key(global const KEY *keys, global const VALUE *values, global KEY *last,
                          global const stream_pair *tiles, global KEY *keys_out, global VALUE *values_out, ulong n,
                          ulong chunk, ulong keys_before, ulong values_before, ulong is_last CAPTURED) {
    local stream_pair block[PLACE(WIDTH)];
    local stream_pair totals[WIDTH / SPREAD];
    uint me = get_local_id(0);
    ulong tile = get_group_id(0) * (ulong)TILE;
    ulong start = tile + me * ITEMS;
    uint here = start < n ? (uint)min(n - start, (ulong)ITEMS) : 0;
    if (here > 0) {
        stream_pair sum = pair_at(keys, values, last, start, chunk);
        for (uint i = 1; i < here; ++i)
            sum = joined(sum, pair_at(keys, values, last, start + i, chunk) PASSED);
        block[PLACE(me)] = sum;
    }
    scan_block(block, totals, (uint)min((n - tile + ITEMS - 1) / ITEMS, (ulong)WIDTH) PASSED);
    bool known = chunk > 0 || get_group_id(0) > 0;
    stream_pair before;
    if (known)
        before = tiles[get_group_id(0)];
    if (me > 0 && here > 0)
        before = known ? joined(before, block[PLACE(me - 1)] PASSED) : block[PLACE(me - 1)];
    known = known || me > 0;
    for (uint i = 0; i < here; ++i) {
        stream_pair one = pair_at(keys, values, last, start + i, chunk);
        stream_pair next = known ? joined(before, one PASSED) : one;
        // Numbers of runs wrap around at 32 bits; what is of one chunk does not.
        if (one.runs) {
            keys_out[next.runs - 1 - (uint)keys_before] = keys[start + i];
            if (known)
                values_out[next.runs - 2 - (uint)values_before] = before.value;
        }
        if (is_last && start + i == n - 1)
            values_out[next.runs - 1 - (uint)values_before] = next.value;
        before = next;
        known = true;
    }
    if (me == 0 && tile + TILE >= n)
        last[chunk % 2] = keys[n - 1];
}
