// Decodes blocks of numbers in Rice's code (1979): up to LONGEST ones, and a zero after fewer, say the
// number over 2^REST; REST further bits say the remainder. First bits come first. Where a number begins
// is known once the one before has been read. A work-item has a block; blocks lie one after the other.

#define LONGEST 8
#define REST 3

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void rice_decode(__global const uint *bits, __global uchar *values, int symbols)
{
    const int block = get_global_id(0);
    __global const uint *word = bits + block * (symbols * (LONGEST + REST) / 32 + 2);

    ulong ahead = 0; // bits not yet used, from the top on
    int known = 0;   // how many of them have been read
    for (int i = 0; i < symbols; ++i) {
        if (known < 32) {
            ahead |= (ulong)*word++ << (32 - known);
            known += 32;
        }
        const int ones = min((int)clz(~ahead), LONGEST);
        const int prefix = ones < LONGEST ? ones + 1 : LONGEST;
        const int rest = (ahead << prefix) >> (64 - REST);
        values[block * symbols + i] = ones << REST | rest;
        ahead <<= prefix + REST;
        known -= prefix + REST;
    }
}
