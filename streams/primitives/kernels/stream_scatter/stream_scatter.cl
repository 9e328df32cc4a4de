// The paper's Algorithm 1, mended: the window's own offset is taken from the index, its bound is exclusive, and what runs
// through it is the chunk's length. INDEX is uint or ulong, VALUE any type of the elements' width.

#ifndef INDEX // by itself, as a kernel that is measured and forecast
#define INDEX uint
#define VALUE uint
#endif

// out has the output's elements from `from` on, `window` of them, of `length`. An index beyond the length is noted.
kernel void stream_scatter(global const INDEX *index, global const VALUE *values, global VALUE *out,
                           global ulong *wrong, ulong n, ulong first, ulong from, ulong window, ulong length) {
    ulong at = get_global_id(0);
    if (at >= n)
        return;
    ulong to = index[at];
    if (to >= length)
        // One of them is enough.
        *wrong = first + at + 1;
    else if (to >= from && to - from < window)
        out[to - from] = values[at];
}

// Places that no index names become 0. A kernel of its own: NVIDIA's fill command (driver 580.159.04) ends in an error,
// -9999, in a buffer of more than 2^31 bytes.
kernel void stream_scatter_zero(global VALUE *out, ulong n) {
    VALUE none = {0};
    ulong at = get_global_id(0);
    if (at < n)
        out[at] = none;
}
