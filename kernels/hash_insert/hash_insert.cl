// Puts keys into a hash table with linear probing. A smaller key makes way for a larger one and goes on
// in its place, so that the table comes out the same whatever the order (Amble and Knuth, 1974; for many
// at once: Shun and Blelloch, 2014). A work-item has a key.

#define EMPTY 2 // what is smaller is no key

uint mix_bits(uint x)
{
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void hash_insert(__global const uint *keys, __global uint *table, uint slots)
{
    uint key = keys[get_global_id(0)];
    for (uint slot = mix_bits(key) & (slots - 1); key >= EMPTY; slot = (slot + 1) & (slots - 1)) {
        const uint there = atomic_max(&table[slot], key);
        key = there == key ? 0 : min(there, key);
    }
}
