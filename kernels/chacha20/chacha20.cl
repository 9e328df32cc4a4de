// The stream of the cipher ChaCha20 (Bernstein, 2008; RFC 8439), from block 0 on. A work-item has a block
// of 16 words.

#define QUARTER(a, b, c, d)               \
    a += b, d = rotate(d ^ a, (uint)16),  \
    c += d, b = rotate(b ^ c, (uint)12),  \
    a += b, d = rotate(d ^ a, (uint)8),   \
    c += d, b = rotate(b ^ c, (uint)7)

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void chacha20(__global const uint *key, __global const uint *nonce, __global uint *stream)
{
    const uint start[16] = {
        0x61707865, 0x3320646e, 0x79622d32, 0x6b206574, // "expand 32-byte k"
        key[0], key[1], key[2], key[3],
        key[4], key[5], key[6], key[7],
        get_global_id(0), nonce[0], nonce[1], nonce[2],
    };
    uint x[16];
    for (int i = 0; i < 16; ++i)
        x[i] = start[i];
    for (int round = 0; round < 10; ++round) {
        QUARTER(x[0], x[4], x[8], x[12]);
        QUARTER(x[1], x[5], x[9], x[13]);
        QUARTER(x[2], x[6], x[10], x[14]);
        QUARTER(x[3], x[7], x[11], x[15]);
        QUARTER(x[0], x[5], x[10], x[15]);
        QUARTER(x[1], x[6], x[11], x[12]);
        QUARTER(x[2], x[7], x[8], x[13]);
        QUARTER(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; ++i)
        stream[get_global_id(0) * 16 + i] = x[i] + start[i];
}
