// AES-128 (FIPS 197) of 16-byte blocks, each by itself; after AMD's SDK program AESEncryptDecrypt.
// The state's columns are uchar4, four of them a block; a work-item has one column and swaps bytes
// with the block's three others once a round. GROUP is a multiple of 4.

#define COLUMNS 4
#define ROUNDS 10

uchar4 sub_bytes(uchar4 column, __global const uchar *s_box)
{
    return (uchar4)(s_box[column.x], s_box[column.y], s_box[column.z], s_box[column.w]);
}

// Each byte times x in GF(2⁸) modulo x⁸ + x⁴ + x³ + x + 1.
uchar4 times_x(uchar4 column)
{
    return (column << (uchar4)1) ^ ((column >> (uchar4)7) * (uchar4)0x1b);
}

// The column times the circulant matrix (2 3 1 1).
uchar4 mix_column(uchar4 column)
{
    const uchar4 next = column.yzwx;
    return times_x(column ^ next) ^ next ^ column.zwxy ^ column.wxyz;
}

// The state goes through global memory: the ciphertext's own place.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void aes_encrypt_global(__global const uchar4 *plaintext, __global const uchar *s_box,
                        __global const uchar4 *round_keys, __global uchar4 *ciphertext)
{
    const int item = get_global_id(0);
    const int place = item % COLUMNS;
    __global uchar4 *state = ciphertext + item - place;

    uchar4 column = plaintext[item] ^ round_keys[place];
    for (int round = 1; round <= ROUNDS; ++round) {
        state[place] = sub_bytes(column, s_box);
        barrier(CLK_GLOBAL_MEM_FENCE); // the state is complete
        column = (uchar4)(state[place].x, state[(place + 1) % COLUMNS].y, // shift rows
                          state[(place + 2) % COLUMNS].z, state[(place + 3) % COLUMNS].w);
        barrier(CLK_GLOBAL_MEM_FENCE); // all have read it
        if (round < ROUNDS)
            column = mix_column(column);
        column ^= round_keys[round * COLUMNS + place];
    }
    ciphertext[item] = column;
}

// The state goes through local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void aes_encrypt_local(__global const uchar4 *plaintext, __global const uchar *s_box,
                       __global const uchar4 *round_keys, __global uchar4 *ciphertext)
{
    __local uchar4 states[GROUP];
    const int item = get_global_id(0);
    const int place = item % COLUMNS;
    __local uchar4 *state = states + get_local_id(0) - place;

    uchar4 column = plaintext[item] ^ round_keys[place];
    for (int round = 1; round <= ROUNDS; ++round) {
        state[place] = sub_bytes(column, s_box);
        barrier(CLK_LOCAL_MEM_FENCE); // the state is complete
        column = (uchar4)(state[place].x, state[(place + 1) % COLUMNS].y, // shift rows
                          state[(place + 2) % COLUMNS].z, state[(place + 3) % COLUMNS].w);
        barrier(CLK_LOCAL_MEM_FENCE); // all have read it
        if (round < ROUNDS)
            column = mix_column(column);
        column ^= round_keys[round * COLUMNS + place];
    }
    ciphertext[item] = column;
}
