// A table of places of keys, by open addressing: an entry is the place of the first of some equal keys, plus 1, or 0 where
// there is none. There are twice as many entries as keys, so every search ends. KEY is the unsigned type of the keys' width.
//
// Atomics are of 32 bits, whatever the keys are, and nobody waits for anybody: an entry that is taken stays its key's.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY uint
#endif

// Another key for each key, and the same one for the same seed: keys that somebody chose lie anywhere. Each step has an
// inverse, so whoever has equal ones had equal keys.
KEY hashed(KEY key, ulong seed) {
    KEY hash = key ^ (KEY)seed;
    hash ^= hash >> (4 * sizeof(KEY));
    hash = (KEY)(hash * 0xbf58476d1ce4e5b9UL);
    hash ^= hash >> (4 * sizeof(KEY));
    hash = (KEY)(hash * 0x94d049bb133111ebUL);
    return hash ^ (hash >> (4 * sizeof(KEY)));
}

// Where a key's entry is looked for first. Keys of one table may share their upper bits: the lower ones count as well.
uint first_entry(KEY hash, uint entries) {
    return mul_hi((uint)((hash * 0x9e3779b97f4a7c15UL) >> 32), entries);
}

kernel void stream_hash(global KEY *keys, ulong n, ulong seed) {
    ulong at = get_global_id(0);
    if (at < n)
        keys[at] = hashed(keys[at], seed);
}

kernel void stream_hash_clear(global uint *table, ulong entries) {
    ulong at = get_global_id(0);
    if (at < entries)
        table[at] = 0;
}

kernel void stream_hash_insert(global const KEY *keys, global uint *table, ulong n, ulong entries) {
    ulong at = get_global_id(0);
    if (at >= n)
        return;
    KEY key = keys[at];
    uint me = (uint)at + 1, entry = first_entry(key, (uint)entries);
    for (;;) {
        uint other = atomic_cmpxchg(table + entry, 0, me);
        if (other == 0)
            return;
        if (keys[other - 1] == key) {
            atomic_min(table + entry, me);
            return;
        }
        entry = entry + 1 < entries ? entry + 1 : 0;
    }
}
