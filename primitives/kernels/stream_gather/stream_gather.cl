// INDEX is uint or ulong, VALUE any type of the elements' width.

#ifndef INDEX // by itself, as a kernel that is measured and forecast
#define INDEX uint
#define VALUE uint
#endif

// An index beyond the values is noted: one of them is enough.
kernel void stream_gather_check(global const INDEX *index, global ulong *wrong, ulong n, ulong first, ulong length) {
    ulong at = get_global_id(0);
    if (at < n && index[at] >= length)
        *wrong = first + at + 1;
}

// values has the elements from `first` on, `held` of them.
kernel void stream_gather(global const INDEX *index, global const VALUE *values, global VALUE *out, ulong n, ulong first,
                          ulong held, ulong is_first) {
    ulong at = get_global_id(0);
    if (at >= n)
        return;
    ulong from = index[at];
    if (from >= first && from - first < held)
        out[at] = values[from - first];
}
