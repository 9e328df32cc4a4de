// How many elements lie between two edges each, of a chunk. MOST is how many bins there are room for in local memory, or
// 0 where the bins are counted in global memory alone.

#ifndef T // by itself, as a kernel that is measured and forecast
#define T uint
#define WIDTH 256
#define TILE 4096
#ifndef MOST
#define MOST 2048
#endif
#endif

// x's bin: edges[bin] <= x < edges[bin + 1], the last one with its upper edge; `bins` where there is none, as for NaN. `top`
// is the largest power of two below `bins`, or 1: the steps of the bisection are the same for all, so that nothing branches.
#define BIN_OF(x, edges, bins, top, bin)                                                                                    \
    do {                                                                                                                    \
        bin = 0;                                                                                                            \
        for (uint step = top; step > 0; step /= 2) {                                                                        \
            uint next = min(bin + step, bins - 1);                                                                          \
            bin = x >= edges[next] ? next : bin;                                                                            \
        }                                                                                                                   \
        bin = x >= edges[0] && x <= edges[bins] ? bin : bins;                                                               \
    } while (0)

kernel void stream_histogram(global const T *in, global const T *edges, global uint *counts, ulong n, ulong many) {
    uint me = get_local_id(0), bins = (uint)many;
#if MOST
    local T known[MOST + 1];
    local uint found[MOST];
    for (uint i = me; i <= bins; i += WIDTH)
        known[i] = edges[i];
    for (uint i = me; i < bins; i += WIDTH)
        found[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
#else
    global const T *known = edges;
    global uint *found = counts;
#endif
    // Neighbours are often alike: what falls into one bin is added at once.
    uint last = bins, run = 0, top = 1;
    while (2 * top < bins)
        top *= 2;
    ulong step = get_num_groups(0) * (ulong)TILE;
    for (ulong tile = get_group_id(0) * (ulong)TILE; tile < n; tile += step)
        for (uint i = me; i < TILE && tile + i < n; i += WIDTH) {
            T x = in[tile + i];
            uint bin;
            BIN_OF(x, known, bins, top, bin);
            if (bin != last) {
                if (last < bins)
                    atomic_add(&found[last], run);
                last = bin;
                run = 0;
            }
            ++run;
        }
    if (last < bins)
        atomic_add(&found[last], run);
#if MOST
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < bins; i += WIDTH)
        if (found[i])
            atomic_add(&counts[i], found[i]);
#endif
}

// A chunk's counts to those of all, which have 64 bits; what was a chunk's is the next one's, and 0.
kernel void stream_histogram_add(global uint *counts, global ulong *totals, ulong bins) {
    ulong at = get_global_id(0);
    if (at < bins) {
        totals[at] += counts[at];
        counts[at] = 0;
    }
}
