// After stream_reduce (stream_reduce.cl) has made a sum of each tile: these sums are scanned by one work-group, which
// keeps the sum of all chunks until now in carry[0], and then each tile begins with what all before it come to. Elements
// are never exchanged: the operation need not be commutative.

#ifndef T // by itself, as a kernel that is measured and forecast
#define T uint
#define WIDTH 256
#define ITEMS 16
T operation(T a, T b) { return a + b; }
#define TILE (WIDTH * ITEMS)
#define SPREAD 16
#define PLACE(i) ((i) + (i) / SPREAD)
#endif

// block[PLACE(i)] becomes what all until i come to, for i < active, by a whole work-group.
void scan_block(local T *block, local T *totals, uint active) {
    uint me = get_local_id(0);
    uint first = me * SPREAD;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first < active) {
        uint end = min(active, first + SPREAD);
        T sum = block[PLACE(first)];
        for (uint i = first + 1; i < end; ++i) {
            sum = operation(sum, block[PLACE(i)]);
            block[PLACE(i)] = sum;
        }
        totals[me] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (me == 0) {
        T sum = totals[0];
        for (uint i = 1; i * SPREAD < active; ++i) {
            sum = operation(sum, totals[i]);
            totals[i] = sum;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // The store is not conditional: PoCL 3.1 then loses what is after the barrier.
    T sum = block[PLACE(me)];
    if (me >= SPREAD && me < active)
        sum = operation(totals[me / SPREAD - 1], sum);
    block[PLACE(me)] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
}

// Work-items next to each other load and store elements next to each other; each works on ITEMS that follow one another.
#ifdef DIRECT
#define ELEMENT(i) in[i]
#define RESULT(i) out[i]
#define LOCAL_TILE
#define TILE_PARAMETER
#define TILE_PASSED
#else
#define ELEMENT(i) tile[PLACE(i)]
#define RESULT(i) tile[PLACE(i)]
#define LOCAL_TILE local T tile[PLACE(TILE)];
#define TILE_PARAMETER , local T *tile
#define TILE_PASSED , tile
#endif

// Scans up to TILE elements from `in` to `out`, which may be the same, beginning with `before` where that is known. What all
// come to until after them is returned.
T scan_tile(global const T *in, global T *out, uint left, T before, bool known, bool exclusive, local T *block,
            local T *totals TILE_PARAMETER) {
    uint me = get_local_id(0);
    uint from = me * ITEMS;
    uint end = min(left, from + ITEMS);
    uint active = (left + ITEMS - 1) / ITEMS;
#ifndef DIRECT
    for (uint i = me; i < left; i += WIDTH)
        tile[PLACE(i)] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    if (from < left) {
        T sum = ELEMENT(from);
        for (uint i = from + 1; i < end; ++i)
            sum = operation(sum, ELEMENT(i));
        block[PLACE(me)] = sum;
    }
    scan_block(block, totals, active);
    if (from < left) {
        T sum = before;
        if (me > 0)
            sum = known ? operation(before, block[PLACE(me - 1)]) : block[PLACE(me - 1)];
        T element = ELEMENT(from);
        T next = known || me > 0 ? operation(sum, element) : element;
        RESULT(from) = exclusive ? sum : next;
        for (uint i = from + 1; i < end; ++i) {
            sum = next;
            next = operation(sum, ELEMENT(i));
            RESULT(i) = exclusive ? sum : next;
        }
    }
    T all = block[PLACE(active - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
#ifndef DIRECT
    for (uint i = me; i < left; i += WIDTH)
        out[i] = tile[PLACE(i)];
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    return known ? operation(before, all) : all;
}

// sums[i] becomes carry[0] * sums[0] * ... * sums[i - 1], and carry[0] what comes after the last. As long as
// carried is 0 there is no carry[0], and sums[0] becomes nothing.
kernel void stream_scan_sums(global T *sums, global T *carry, ulong tiles, ulong carried) {
    local T block[PLACE(WIDTH)];
    local T totals[WIDTH / SPREAD];
    LOCAL_TILE
    for (ulong from = 0; from < tiles; from += TILE) {
        uint left = (uint)min(tiles - from, (ulong)TILE);
        T after = scan_tile(sums + from, sums + from, left, carry[0], carried, true, block, totals TILE_PASSED);
        if (get_local_id(0) == 0)
            carry[0] = after;
        carried = 1;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}

// in and out may be the same.
kernel void stream_scan(global const T *in, global T *out, global const T *sums, ulong n, ulong carried,
                        ulong exclusive) {
    local T block[PLACE(WIDTH)];
    local T totals[WIDTH / SPREAD];
    LOCAL_TILE
    ulong from = get_group_id(0) * (ulong)TILE;
    uint left = (uint)min(n - from, (ulong)TILE);
    T before = sums[get_group_id(0)];
    scan_tile(in + from, out + from, left, before, carried || get_group_id(0) > 0, exclusive, block,
              totals TILE_PASSED);
}
