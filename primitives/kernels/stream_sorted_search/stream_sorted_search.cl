// How many elements of a sorted table come before each needle; keys.cl comes before it. BEFORE is < where elements that
// equal the needle are not counted, and <= where they are.
//
// sorted has the table's elements from `first` on, `held` of them; out has what the parts before come to, but for the
// first part.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY uint
#define BEFORE <
KEY turned(KEY key) { return key; }
#endif

kernel void stream_search(global const KEY *needles, global const KEY *sorted, global ulong *out, ulong n, ulong first,
                          ulong held, ulong is_first) {
    ulong at = get_global_id(0);
    if (at >= n)
        return;
    KEY needle = turned(needles[at]);
    ulong count = 0, above = held;
    // Of most parts either all comes before it or nothing.
    if (turned(sorted[held - 1]) BEFORE needle)
        count = held;
    else if (!(turned(sorted[0]) BEFORE needle))
        above = 0;
    while (count < above) {
        ulong middle = count + (above - count) / 2;
        if (turned(sorted[middle]) BEFORE needle)
            count = middle + 1;
        else
            above = middle;
    }
    out[at] = is_first ? count : out[at] + count;
}
