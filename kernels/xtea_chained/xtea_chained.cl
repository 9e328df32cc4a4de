// Enciphers messages by XTEA (Needham and Wheeler, 1997), each block mixed with the cipher of the one
// before. A work-item has a message, so that everything waits for what is before it; messages lie one
// after the other.

#define ROUNDS 32

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void xtea_chained(__global const uint *key, __global const uint2 *plain, __global uint2 *cipher, int blocks)
{
    const int first = get_global_id(0) * blocks;

    uint2 block = (uint2)(0, 0);
    for (int i = first; i < first + blocks; ++i) {
        block ^= plain[i];
        uint sum = 0;
        for (int round = 0; round < ROUNDS; ++round) {
            block.x += (((block.y << 4) ^ (block.y >> 5)) + block.y) ^ (sum + key[sum & 3]);
            sum += 0x9E3779B9u;
            block.y += (((block.x << 4) ^ (block.x >> 5)) + block.x) ^ (sum + key[sum >> 11 & 3]);
        }
        cipher[i] = block;
    }
}
