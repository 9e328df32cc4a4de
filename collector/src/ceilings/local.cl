// Reads of local memory: neighbours read neighbouring elements, so that no two want the same bank.
// With -D: ELEMENT (uint4), GROUP (work-items of a group, a power of two), APART (elements between a
// work-item's reads). tile: GROUP + 7 * APART elements.
//
// What is read does not matter, so nobody waits until all is written: past a barrier PoCL would keep the
// sums in memory. Whole numbers, since a float may happen to be a slow one.

__kernel void read_local(__local ELEMENT *tile, __global ELEMENT *out, const int step, const int rounds)
{
    int at = get_local_id(0);
    tile[at] = (ELEMENT)(at);
    ELEMENT s0 = (ELEMENT)(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    for (int round = 0; round < rounds; round++) {
        s0 += tile[at];
        s1 += tile[at + 1 * APART];
        s2 += tile[at + 2 * APART];
        s3 += tile[at + 3 * APART];
        s4 += tile[at + 4 * APART];
        s5 += tile[at + 5 * APART];
        s6 += tile[at + 6 * APART];
        s7 += tile[at + 7 * APART];
        // A place that the compiler can't foresee: what was read before is of no use.
        at = (at + step) & (GROUP - 1);
    }
    out[get_global_id(0)] = ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
}
