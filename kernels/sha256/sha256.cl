// SHA-256 (FIPS 180-4) of messages of 64 bytes, 16 big-endian words each. A work-item has one message;
// its digest takes two rounds of compression: the message's words, then the padding's.

#define ROUNDS 64
#define BLOCK 16 // words

// One compression, with the message's schedule in a ring of 16 words. The constants may lie in global or
// in local memory, and a function of OpenCL C 1.2 can't take either: hence a macro.
#define COMPRESS(state, w, constants)                                                                   \
    do {                                                                                                \
        uint8 s = state;                                                                                \
        for (int round = 0; round < ROUNDS; round += BLOCK) {                                           \
            _Pragma("unroll") /* keeps the ring in registers */                                         \
            for (int t = 0; t < BLOCK; ++t) {                                                           \
                if (round > 0)                                                                          \
                    w[t] += small_sigma_1(w[(t + 14) % BLOCK]) + w[(t + 9) % BLOCK]                     \
                          + small_sigma_0(w[(t + 1) % BLOCK]);                                          \
                s = one_round(s, constants[round + t] + w[t]);                                          \
            }                                                                                           \
        }                                                                                               \
        state += s;                                                                                     \
    } while (0)

uint right(uint x, uint by)
{
    return rotate(x, 32 - by);
}

uint small_sigma_0(uint x)
{
    return right(x, 7) ^ right(x, 18) ^ (x >> 3);
}

uint small_sigma_1(uint x)
{
    return right(x, 17) ^ right(x, 19) ^ (x >> 10);
}

// s0 … s7 are the standard's a … h.
uint8 one_round(uint8 s, uint constant_and_word)
{
    const uint t1 = s.s7 + (right(s.s4, 6) ^ right(s.s4, 11) ^ right(s.s4, 25))
                  + bitselect(s.s6, s.s5, s.s4) + constant_and_word;
    const uint t2 = (right(s.s0, 2) ^ right(s.s0, 13) ^ right(s.s0, 22))
                  + ((s.s0 & s.s1) ^ (s.s0 & s.s2) ^ (s.s1 & s.s2));
    return (uint8)(t1 + t2, s.s0, s.s1, s.s2, s.s3 + t1, s.s4, s.s5, s.s6);
}

uint8 initial_state(void)
{
    return (uint8)(0x6A09E667u, 0xBB67AE85u, 0x3C6EF372u, 0xA54FF53Au,
                   0x510E527Fu, 0x9B05688Cu, 0x1F83D9ABu, 0x5BE0CD19u);
}

void load_message(uint w[BLOCK], __global const uint *messages)
{
    for (int i = 0; i < BLOCK; ++i)
        w[i] = messages[get_global_id(0) * BLOCK + i];
}

// What follows a message of 512 bits: a 1, zeros, and its length.
void load_padding(uint w[BLOCK])
{
    for (int i = 0; i < BLOCK; ++i)
        w[i] = 0;
    w[0] = 0x80000000u;
    w[BLOCK - 1] = 512;
}

// The constants are read from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sha256_global(__global const uint *messages, __global const uint *constants, __global uint *digests)
{
    uint8 state = initial_state();
    uint w[BLOCK];
    load_message(w, messages);
    COMPRESS(state, w, constants);
    load_padding(w);
    COMPRESS(state, w, constants);
    vstore8(state, get_global_id(0), digests);
}

// The work-group brings the constants to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sha256_local(__global const uint *messages, __global const uint *constants, __global uint *digests)
{
    __local uint shared_constants[ROUNDS];
    for (int i = get_local_id(0); i < ROUNDS; i += GROUP)
        shared_constants[i] = constants[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    uint8 state = initial_state();
    uint w[BLOCK];
    load_message(w, messages);
    COMPRESS(state, w, shared_constants);
    load_padding(w);
    COMPRESS(state, w, shared_constants);
    vstore8(state, get_global_id(0), digests);
}
