// One T of each tile of WIDTH * ITEMS elements. The order of operations depends on nothing but a tile's length, and
// elements are never exchanged: the operation need not be commutative, and the same bits come out of every run.

kernel void stream_reduce(global const T *in, global T *out, ulong n CAPTURED) {
    local T sums[WIDTH];
    uint me = get_local_id(0);
    ulong tile = get_group_id(0) * (ulong)(WIDTH * ITEMS);
    ulong start = tile + me * ITEMS;
    if (start < n) {
        uint here = (uint)min(n - start, (ulong)ITEMS);
        T sum = in[start];
        for (uint i = 1; i < here; ++i)
            sum = operation(sum, in[start + i] PASSED);
        sums[me] = sum;
    }
    // Work-items that have a sum.
    uint active = (uint)min((n - tile + ITEMS - 1) / ITEMS, (ulong)WIDTH);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint apart = 1; apart < WIDTH; apart *= 2) {
        if (me % (2 * apart) == 0 && me + apart < active)
            sums[me] = operation(sums[me], sums[me + apart] PASSED);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (me == 0)
        out[get_group_id(0)] = sums[0];
}
