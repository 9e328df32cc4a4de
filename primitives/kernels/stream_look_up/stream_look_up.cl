// Values of keys that are asked for, out of a table; stream_hash_insert.cl comes before it. VALUE has the values' bytes.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY ulong
#define VALUE uint
#include "stream_hash_insert.cl"
#endif

// The value of each key that is asked for; where there is none `missing`, or, where an earlier answer is kept, that.
kernel void stream_hash_find(global const KEY *asked, global const KEY *keys, global const VALUE *values,
                             global const uint *table, global const VALUE *missing, global VALUE *out, ulong n,
                             ulong entries, ulong seed, ulong is_hashed, ulong keeps) {
    ulong at = get_global_id(0);
    if (at >= n)
        return;
    KEY key = is_hashed ? asked[at] : hashed(asked[at], seed);
    uint entry = first_entry(key, (uint)entries), found = table[entry];
    while (found && keys[found - 1] != key) {
        entry = entry + 1 < entries ? entry + 1 : 0;
        found = table[entry];
    }
    if (found)
        out[at] = values[found - 1];
    else if (!keeps)
        out[at] = *missing;
}

// The places of a chunk, in their order.
kernel void stream_hash_places(global uint *places, ulong n) {
    ulong at = get_global_id(0);
    if (at < n)
        places[at] = (uint)at;
}

// A chunk's answers to the places where they were asked for.
kernel void stream_hash_back(global const VALUE *answers, global const uint *places, global VALUE *out, ulong n) {
    ulong at = get_global_id(0);
    if (at < n)
        out[places[at]] = answers[at];
}
