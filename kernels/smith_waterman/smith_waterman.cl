// scores[p] = the score of the best local alignment of query p, of GROUP letters, with target p, of `length`
// (Smith and Waterman 1981), with a linear price for gaps. A work-group has one pair and goes through the
// table diagonal by diagonal; a work-item has one row, and gets the number above from its neighbour.

#define MATCH 3
#define MISMATCH (-2)
#define GAP 2

int best_of(int left, int above, int corner, bool same)
{
    return max(max(0, corner + (same ? MATCH : MISMATCH)), max(left, above) - GAP);
}

// Neighbours exchange through two diagonals in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void smith_waterman_global(__global const uchar *queries, __global const uchar *targets,
                           __global int *scores, int length, __global int *scratch)
{
    const int row = get_local_id(0);
    const int pair = get_group_id(0);
    const uchar letter = queries[pair * GROUP + row];
    __global int *now = scratch + pair * 2 * GROUP;
    __global int *before = now + GROUP;

    int left = 0, corner = 0, best = 0;
    before[row] = 0;
    for (int diagonal = 0; diagonal < length + GROUP - 1; ++diagonal) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the last diagonal is complete
        const int column = diagonal - row;
        const int above = row > 0 ? before[row - 1] : 0;
        if (column >= 0 && column < length) {
            left = best_of(left, above, corner, letter == targets[pair * length + column]);
            best = max(best, left);
        }
        now[row] = left;
        corner = above;
        __global int *swap = now;
        now = before;
        before = swap;
    }

    barrier(CLK_GLOBAL_MEM_FENCE);
    now[row] = best;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (row < half_way)
            now[row] = max(now[row], now[row + half_way]);
    }
    if (row == 0)
        scores[pair] = now[0];
}

// Neighbours exchange through two diagonals in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void smith_waterman_local(__global const uchar *queries, __global const uchar *targets,
                          __global int *scores, int length)
{
    __local int diagonals[2 * GROUP];
    const int row = get_local_id(0);
    const int pair = get_group_id(0);
    const uchar letter = queries[pair * GROUP + row];
    __local int *now = diagonals;
    __local int *before = diagonals + GROUP;

    int left = 0, corner = 0, best = 0;
    before[row] = 0;
    for (int diagonal = 0; diagonal < length + GROUP - 1; ++diagonal) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last diagonal is complete
        const int column = diagonal - row;
        const int above = row > 0 ? before[row - 1] : 0;
        if (column >= 0 && column < length) {
            left = best_of(left, above, corner, letter == targets[pair * length + column]);
            best = max(best, left);
        }
        now[row] = left;
        corner = above;
        __local int *swap = now;
        now = before;
        before = swap;
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    now[row] = best;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row < half_way)
            now[row] = max(now[row], now[row + half_way]);
    }
    if (row == 0)
        scores[pair] = now[0];
}
