// Which segment each element of a chunk belongs to: it is sorted by key, and then by this.

#ifndef ID // by itself, as a kernel that is measured and forecast
#define ID ushort
#endif

// starts has where each of `many` begins, the first at 0. None is empty.
kernel void stream_segments(global const uint *starts, global ID *segments, ulong n, ulong many) {
    ulong at = get_global_id(0);
    if (at >= n)
        return;
    ulong segment = 0, above = many;
    while (above - segment > 1) {
        ulong middle = (segment + above) / 2;
        if (starts[middle] <= at)
            segment = middle;
        else
            above = middle;
    }
    segments[at] = (ID)segment;
}
