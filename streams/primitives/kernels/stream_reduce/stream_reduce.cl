// One T of each tile of TILE elements. The order of operations depends on nothing but a tile's length, and elements are
// never exchanged: the operation need not be commutative, and the same bits come out of every run. Fours that follow
// one another become one, then fours of these: so a work-item has ITEMS elements. Then SPREAD work-items, and
// what SPREAD of them come to.

#ifndef T // by itself, as a kernel that is measured and forecast
#define T uint
#define FOUR uint4
#define WIDTH 256
#define ITEMS 16
T operation(T a, T b) { return a + b; }
#endif

#define TILE (WIDTH * ITEMS)
#define SPREAD 16
// Where local arrays have their elements, so that work-items SPREAD apart do not meet in a bank.
#define PLACE(i) ((i) + (i) / SPREAD)

// *out becomes what sums[PLACE(i)] of the work-items i < active come to, in their order, by a whole work-group.
void sum_of_group(local T *sums, local T *totals, uint active, global T *out) {
    uint me = get_local_id(0);
    uint first = me * SPREAD;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first < active) {
        uint end = min(active, first + SPREAD);
        T sum = sums[PLACE(first)];
        for (uint i = first + 1; i < end; ++i)
            sum = operation(sum, sums[PLACE(i)]);
        totals[me] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
        T sum = totals[0];
        for (uint i = 1; i * SPREAD < active; ++i)
            sum = operation(sum, totals[i]);
        *out = sum;
    }
}

// Up to four that follow one another.
T sum_of_four(global const T *in, uint count) {
    T sum = in[0];
    for (uint i = 1; i < min(count, 4u); ++i)
        sum = operation(sum, in[i]);
    return sum;
}

kernel void stream_reduce(global const T *in, global T *out, ulong n) {
    local T sums[PLACE(WIDTH)];
    local T totals[WIDTH / SPREAD];
    uint me = get_local_id(0);
    ulong first = get_group_id(0) * (ulong)TILE;
    global const T *tile = in + first;
    uint left = (uint)min(n - first, (ulong)TILE);
    // Work-items that have a sum.
    uint active = (left + ITEMS - 1) / ITEMS;
#ifdef DIRECT
    uint from = me * ITEMS;
    if (from < left) {
        uint end = min(left, from + ITEMS);
        T sum = sum_of_four(tile + from, end - from);
        for (uint at = from + 4; at < end; at += 4)
            sum = operation(sum, sum_of_four(tile + at, end - at));
        sums[PLACE(me)] = sum;
    }
#else
    // Work-items next to each other load fours next to each other, and get the fours that are theirs through local memory.
    local T fours[PLACE(TILE / 4)];
    if (left == TILE) {
        FOUR loaded[ITEMS / 4];
        for (uint i = 0; i < ITEMS / 4; ++i)
            loaded[i] = ((global const FOUR *)tile)[i * WIDTH + me];
        for (uint i = 0; i < ITEMS / 4; ++i) {
            T four = operation(loaded[i].x, loaded[i].y);
            four = operation(four, loaded[i].z);
            fours[PLACE(i * WIDTH + me)] = operation(four, loaded[i].w);
        }
    } else {
        for (uint i = me; i * 4 < left; i += WIDTH)
            fours[PLACE(i)] = sum_of_four(tile + i * 4, left - i * 4);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint from = me * (ITEMS / 4);
    if (me < active) {
        uint end = min((left + 3) / 4, from + ITEMS / 4);
        T sum = fours[PLACE(from)];
        for (uint i = from + 1; i < end; ++i)
            sum = operation(sum, fours[PLACE(i)]);
        sums[PLACE(me)] = sum;
    }
#endif
    sum_of_group(sums, totals, active, out + get_group_id(0));
}
