// SHA3-256 (FIPS 202) of messages that fill whole blocks of the sponge. A work-item has a message and keeps
// the sponge's 25 lanes to itself; the messages' first words lie side by side, then their second ones …

#define SIDE 5
#define LANES (SIDE * SIDE)
#define RATE 17 // lanes that take a block in
#define ROUNDS 24

#define X(lane) ((lane) % SIDE)
#define Y(lane) ((lane) / SIDE)
#define LANE(x, y) ((x) % SIDE + SIDE * ((y) % SIDE))
#define PARITY(a, x) (a[LANE(x, 0)] ^ a[LANE(x, 1)] ^ a[LANE(x, 2)] ^ a[LANE(x, 3)] ^ a[LANE(x, 4)])

__constant ulong ROUND_BITS[ROUNDS] = {
    0x0000000000000001UL, 0x0000000000008082UL, 0x800000000000808aUL, 0x8000000080008000UL,
    0x000000000000808bUL, 0x0000000080000001UL, 0x8000000080008081UL, 0x8000000000008009UL,
    0x000000000000008aUL, 0x0000000000000088UL, 0x0000000080008009UL, 0x000000008000000aUL,
    0x000000008000808bUL, 0x800000000000008bUL, 0x8000000000008089UL, 0x8000000000008003UL,
    0x8000000000008002UL, 0x8000000000000080UL, 0x000000000000800aUL, 0x800000008000000aUL,
    0x8000000080008081UL, 0x8000000000008080UL, 0x0000000080000001UL, 0x8000000080008008UL,
};

__constant uchar TURNS[LANES] = {
    0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
};

inline ulong turn(ulong lane, uint by)
{
    return rotate(lane, (ulong)by);
}

static inline void permute(ulong *lanes)
{
    for (int round = 0; round < ROUNDS; ++round) {
        ulong parities[SIDE], moved[LANES];
        #pragma unroll
        for (int x = 0; x < SIDE; ++x)
            parities[x] = PARITY(lanes, x);
        #pragma unroll
        for (int i = 0; i < LANES; ++i) {
            const ulong lane = lanes[i] ^ parities[(X(i) + 4) % SIDE] ^ turn(parities[(X(i) + 1) % SIDE], 1);
            moved[LANE(Y(i), 2 * X(i) + 3 * Y(i))] = turn(lane, TURNS[i]);
        }
        #pragma unroll
        for (int i = 0; i < LANES; ++i)
            lanes[i] = moved[i] ^ (~moved[LANE(X(i) + 1, Y(i))] & moved[LANE(X(i) + 2, Y(i))]);
        lanes[0] ^= ROUND_BITS[round];
    }
}

__kernel void sponge_hashes(__global const ulong *restrict words, __global ulong *restrict digests, uint messages,
                            uint blocks)
{
    const uint message = get_global_id(0);
    if (message >= messages)
        return;

    ulong lanes[LANES];
    #pragma unroll
    for (int i = 0; i < LANES; ++i)
        lanes[i] = 0;
    for (uint block = 0; block < blocks; ++block) {
        #pragma unroll
        for (int i = 0; i < RATE; ++i)
            lanes[i] ^= words[(block * RATE + i) * messages + message];
        permute(lanes);
    }
    lanes[0] ^= 0x06; // the padding: a block of its own
    lanes[RATE - 1] ^= 0x8000000000000000UL;
    permute(lanes);
    vstore4((ulong4)(lanes[0], lanes[1], lanes[2], lanes[3]), message, digests);
}
