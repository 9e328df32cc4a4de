// After stream_reduce has made a sum of each tile: these sums are scanned by one work-group, which keeps the sum of
// all chunks until now in carry[0], and then each tile begins with what all before it come to. Elements are never
// exchanged: the operation need not be commutative.

// block[i] = block[0] * ... * block[i] for i < active, by a whole work-group.
void scan_block(local T *block, uint active CAPTURED) {
    uint me = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint apart = 1; apart < active; apart *= 2) {
        bool adds = me >= apart && me < active;
        T sum;
        if (adds)
            sum = operation(block[me - apart], block[me] PASSED);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (adds)
            block[me] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

// sums[i] becomes carry[0] * sums[0] * ... * sums[i - 1], and carry[0] what comes after the last. As long as
// carried is 0 there is no carry[0], and sums[0] becomes nothing.
kernel void stream_scan_sums(global T *sums, global T *carry, ulong tiles, ulong carried CAPTURED) {
    local T block[WIDTH];
    uint me = get_local_id(0);
    for (ulong from = 0; from < tiles; from += WIDTH) {
        uint active = (uint)min(tiles - from, (ulong)WIDTH);
        if (me < active)
            block[me] = sums[from + me];
        scan_block(block, active PASSED);
        if (me < active && carried)
            sums[from + me] = me > 0 ? operation(carry[0], block[me - 1] PASSED) : carry[0];
        else if (me < active && me > 0)
            sums[from + me] = block[me - 1];
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (me == 0)
            carry[0] = carried ? operation(carry[0], block[active - 1] PASSED) : block[active - 1];
        carried = 1;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
}

// in and out may be the same.
kernel void stream_scan(global const T *in, global T *out, global const T *sums, ulong n, ulong carried,
                        ulong exclusive CAPTURED) {
    local T block[WIDTH];
    uint me = get_local_id(0);
    ulong tile = get_group_id(0) * (ulong)(WIDTH * ITEMS);
    ulong start = tile + me * ITEMS;
    uint here = start < n ? (uint)min(n - start, (ulong)ITEMS) : 0;
    T sum;
    if (here > 0) {
        sum = in[start];
        for (uint i = 1; i < here; ++i)
            sum = operation(sum, in[start + i] PASSED);
        block[me] = sum;
    }
    scan_block(block, (uint)min((n - tile + ITEMS - 1) / ITEMS, (ulong)WIDTH) PASSED);
    bool known = carried || get_group_id(0) > 0;
    T before;
    if (known)
        before = sums[get_group_id(0)];
    if (me > 0 && here > 0)
        before = known ? operation(before, block[me - 1] PASSED) : block[me - 1];
    known = known || me > 0;
    for (uint i = 0; i < here; ++i) {
        T next = known ? operation(before, in[start + i] PASSED) : in[start + i];
        out[start + i] = exclusive ? before : next;
        before = next;
        known = true;
    }
}
