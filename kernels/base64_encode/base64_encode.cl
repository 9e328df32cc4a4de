// Bytes as letters (RFC 4648): three of them become four letters of six bits, and what is missing at the end is
// written as `=`. A work-item has three bytes, and those that follow a launch's width apart.

#define LETTERS 64
#define PAIRS (LETTERS * LETTERS)
#define LETTER(bits, place) ALPHABET[(bits) >> (6 * (3 - (place))) & (LETTERS - 1)]

__constant uchar ALPHABET[LETTERS] = {
    'A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'K', 'L', 'M', 'N', 'O', 'P',
    'Q', 'R', 'S', 'T', 'U', 'V', 'W', 'X', 'Y', 'Z', 'a', 'b', 'c', 'd', 'e', 'f',
    'g', 'h', 'i', 'j', 'k', 'l', 'm', 'n', 'o', 'p', 'q', 'r', 's', 't', 'u', 'v',
    'w', 'x', 'y', 'z', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '+', '/',
};

inline uint packed(uchar3 bytes)
{
    return (uint)bytes.x << 16 | (uint)bytes.y << 8 | bytes.z;
}

// The last bytes, of which one or two may be missing.
static inline uchar4 last_letters(__global const uchar *bytes, uint left)
{
    const uint bits = packed((uchar3)(bytes[0], left > 1 ? bytes[1] : 0, left > 2 ? bytes[2] : 0));
    return (uchar4)(LETTER(bits, 0), LETTER(bits, 1), left > 1 ? LETTER(bits, 2) : '=',
                    left > 2 ? LETTER(bits, 3) : '=');
}

// Letter by letter, from constant memory.
__kernel void base64_encode_global(__global const uchar *restrict bytes, __global uchar4 *restrict text, uint length)
{
    const uint whole = length / 3;
    for (uint i = get_global_id(0); i < whole; i += get_global_size(0)) {
        const uint bits = packed(vload3(i, bytes));
        text[i] = (uchar4)(LETTER(bits, 0), LETTER(bits, 1), LETTER(bits, 2), LETTER(bits, 3));
    }
    if (get_global_id(0) == 0 && length % 3 != 0)
        text[whole] = last_letters(bytes + 3 * whole, length % 3);
}

// Two letters at once, from a table of all pairs that a work-group makes in local memory.
__kernel void base64_encode_local(__global const uchar *restrict bytes, __global uchar4 *restrict text, uint length)
{
    __local ushort pairs[PAIRS];
    for (uint i = get_local_id(0); i < PAIRS; i += get_local_size(0))
        pairs[i] = ALPHABET[i / LETTERS] | ALPHABET[i % LETTERS] << 8;
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint whole = length / 3;
    for (uint i = get_global_id(0); i < whole; i += get_global_size(0)) {
        const uint bits = packed(vload3(i, bytes));
        text[i] = as_uchar4((uint)pairs[bits >> 12] | (uint)pairs[bits & (PAIRS - 1)] << 16);
    }
    if (get_global_id(0) == 0 && length % 3 != 0)
        text[whole] = last_letters(bytes + 3 * whole, length % 3);
}
