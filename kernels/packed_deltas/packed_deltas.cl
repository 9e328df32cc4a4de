// Decodes a column of whole numbers, stored as columns of databases often are: in blocks of VALUES numbers, each
// the one before plus the block's least difference plus a number of as few bits as the block needs. Such a
// number may begin in one word and end in the next.

#define VALUES 128

typedef struct {
    uint start; // its first word
    int base;   // what the first difference is added to
    int least;  // difference
    uchar width; // bits of each packed number
} block_header;

inline ulong two_words(__global const uint *words, uint at)
{
    return (ulong)words[at + 1] << 32 | words[at];
}

static inline int difference(__global const uint *words, block_header header, uint i)
{
    const uint bit = i * header.width;
    const uint packed = (uint)(two_words(words, header.start + bit / 32) >> (bit % 32));
    return header.least + (int)(packed & ((1u << header.width) - 1));
}

// A work-item has a block.
__kernel void packed_deltas_global(__global const block_header *headers, __global const uint *words,
                                   __global int *values, uint blocks)
{
    const uint block = get_global_id(0);
    if (block >= blocks)
        return;

    const block_header header = headers[block];
    int value = header.base;
    for (uint i = 0; i < VALUES; ++i) {
        value += difference(words, header, i);
        values[block * VALUES + i] = value;
    }
}

// A work-group has a block, and adds up in local memory.
__kernel __attribute__((reqd_work_group_size(VALUES, 1, 1)))
void packed_deltas_local(__global const block_header *headers, __global const uint *words, __global int *values,
                         uint blocks)
{
    __local int sums[2][VALUES];
    const uint i = get_local_id(0);
    const uint block = get_group_id(0);

    const block_header header = headers[block];
    int from = 0;
    sums[from][i] = difference(words, header, i);
    for (uint apart = 1; apart < VALUES; apart *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sums[1 - from][i] = sums[from][i] + (i >= apart ? sums[from][i - apart] : 0);
        from = 1 - from;
    }
    values[block * VALUES + i] = header.base + sums[from][i];
}
