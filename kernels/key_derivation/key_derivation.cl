// Keys made of passwords by PBKDF2 with HMAC-SHA-1 (RFC 8018): a hash of a hash, many times over. A work-item
// has a password of 16 bytes. All that is hashed after the password's own block has 20 bytes.

#define WORDS 5
#define BLOCK 16

typedef struct {
    uint words[WORDS];
} digest;

typedef struct {
    uint salt[4];
    uint iterations;
} settings;

#define SCHEDULED(w, t) \
    (w[(t) & 15] = rotate(w[((t) + 13) & 15] ^ w[((t) + 8) & 15] ^ w[((t) + 2) & 15] ^ w[(t) & 15], 1u))

#define CHOICE(b, c, d) bitselect(d, c, b)
#define PARITY(b, c, d) ((b) ^ (c) ^ (d))
#define MAJORITY(b, c, d) bitselect(b, c, (b) ^ (d))

#define STEP(f, k, word)                                              \
    {                                                                 \
        const uint next = rotate(a, 5u) + f(b, c, d) + e + (k) + (word); \
        e = d;                                                        \
        d = c;                                                        \
        c = rotate(b, 30u);                                           \
        b = a;                                                        \
        a = next;                                                     \
    }

#define STEPS(from, to, f, k)             \
    _Pragma("unroll")                     \
    for (int t = from; t < to; ++t)       \
        STEP(f, k, SCHEDULED(w, t))

// Takes a block into a state; the block is used up.
static inline void compress(digest *state, uint *w)
{
    uint a = state->words[0], b = state->words[1], c = state->words[2], d = state->words[3], e = state->words[4];
    #pragma unroll
    for (int t = 0; t < BLOCK; ++t)
        STEP(CHOICE, 0x5a827999u, w[t])
    STEPS(16, 20, CHOICE, 0x5a827999u)
    STEPS(20, 40, PARITY, 0x6ed9eba1u)
    STEPS(40, 60, MAJORITY, 0x8f1bbcdcu)
    STEPS(60, 80, PARITY, 0xca62c1d6u)
    state->words[0] += a;
    state->words[1] += b;
    state->words[2] += c;
    state->words[3] += d;
    state->words[4] += e;
}

// The state after a block that is the password, padded and mixed with a byte.
static inline digest begun(uint4 password, uint mask)
{
    digest state = {{0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u, 0xc3d2e1f0u}};
    uint w[BLOCK];
    #pragma unroll
    for (int t = 4; t < BLOCK; ++t)
        w[t] = mask;
    vstore4(password ^ mask, 0, w);
    compress(&state, w);
    return state;
}

// The digest of a block that is known already and of 20 bytes after it.
static inline digest ended(digest state, digest bytes)
{
    uint w[BLOCK];
    #pragma unroll
    for (int t = 0; t < BLOCK; ++t)
        w[t] = t < WORDS ? bytes.words[t] : 0;
    w[WORDS] = 0x80000000u;
    w[BLOCK - 1] = 8 * 4 * (BLOCK + WORDS);
    compress(&state, w);
    return state;
}

__kernel void key_derivation(__global const uint4 *passwords, __global digest *keys, settings with, uint count)
{
    const uint item = get_global_id(0);
    if (item >= count)
        return;

    const uint4 password = passwords[item];
    const digest inner = begun(password, 0x36363636u);
    const digest outer = begun(password, 0x5c5c5c5cu);

    digest key = {{0, 0, 0, 0, 0}};
    digest last = {{with.salt[0], with.salt[1], with.salt[2], with.salt[3], 1}};
    for (uint i = 0; i < with.iterations; ++i) {
        last = ended(outer, ended(inner, last));
        #pragma unroll
        for (int t = 0; t < WORDS; ++t)
            key.words[t] ^= last.words[t];
    }
    keys[item] = key;
}
