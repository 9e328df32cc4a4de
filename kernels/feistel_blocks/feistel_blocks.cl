// Enciphers blocks of 64 bits by a network of Feistel's with tables that depend on the key, in the manner of
// Blowfish (Schneier, 1993). A work-item has a block, and those that follow a launch's width apart.

#define ROUNDS 16
#define ENTRIES 256
#define TABLES 4
#define AT(tables, number, byte) tables[(number) * ENTRIES + (byte)]

#define MIXED(tables, side, mixed)                                                      \
    {                                                                                   \
        const uchar4 bytes = as_uchar4(side);                                           \
        mixed = AT(tables, 0, bytes.w) + AT(tables, 1, bytes.z);                        \
        mixed = (mixed ^ AT(tables, 2, bytes.y)) + AT(tables, 3, bytes.x);              \
    }

// Two rounds, so that the halves need not change places.
#define ROUND_PAIR(tables, keys, i)      \
    {                                    \
        uint mixed;                      \
        left ^= keys[i];                 \
        MIXED(tables, left, mixed)       \
        right ^= mixed ^ keys[(i) + 1];  \
        MIXED(tables, right, mixed)      \
        left ^= mixed;                   \
    }

#define ENCIPHERED(tables, keys, block)                             \
    {                                                               \
        uint left = block.x, right = block.y;                       \
        ROUND_PAIR(tables, keys, 0)                                 \
        ROUND_PAIR(tables, keys, 2)                                 \
        ROUND_PAIR(tables, keys, 4)                                 \
        ROUND_PAIR(tables, keys, 6)                                 \
        ROUND_PAIR(tables, keys, 8)                                 \
        ROUND_PAIR(tables, keys, 10)                                \
        ROUND_PAIR(tables, keys, 12)                                \
        ROUND_PAIR(tables, keys, 14)                                \
        block = (uint2)(right ^ keys[ROUNDS + 1], left ^ keys[ROUNDS]); \
    }

// The tables stay where the host has put them.
__kernel void feistel_blocks_global(__global const uint2 *restrict plain, __global uint2 *restrict cipher,
                                    __constant uint *tables, __constant uint *keys, uint blocks)
{
    for (uint i = get_global_id(0); i < blocks; i += get_global_size(0)) {
        uint2 block = plain[i];
        ENCIPHERED(tables, keys, block)
        cipher[i] = block;
    }
}

// A work-group copies the tables into local memory.
__kernel void feistel_blocks_local(__global const uint2 *restrict plain, __global uint2 *restrict cipher,
                                   __constant uint *tables, __constant uint *keys, uint blocks,
                                   __local uint *copy)
{
    for (uint i = get_local_id(0); i < TABLES * ENTRIES; i += get_local_size(0))
        copy[i] = tables[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < blocks; i += get_global_size(0)) {
        uint2 block = plain[i];
        ENCIPHERED(copy, keys, block)
        cipher[i] = block;
    }
}
