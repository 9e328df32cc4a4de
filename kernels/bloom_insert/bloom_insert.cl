// Puts keys into a Bloom filter (1970): every key sets HASHES bits, which a generator started by the key
// chooses. A work-item has a key.

#define HASHES 4

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bloom_insert(__global const uint *keys, __global uint *filter, uint words)
{
    uint state = keys[get_global_id(0)];
    for (int hash = 0; hash < HASHES; ++hash) {
        state = state * 1664525u + 1013904223u;
        atomic_or(&filter[(state >> 5) & (words - 1)], 1u << (state >> 27));
    }
}
