// Two sorted arrays become one; keys.cl comes before it. Along the merge path (Odeh, Green, Mwassi, Shmueli, Birk 2012):
// where a tile begins in both arrays is found by bisection, and where a work-item begins in its tile the same way.

#ifndef KEY // by itself, as a kernel that is measured and forecast
#define KEY uint
#define WIDTH 256
#define ITEMS 16
KEY turned(KEY key) { return key; }
KEY turned_back(KEY key) { return key; }
#endif

// How many of the first `diagonal` merged elements are a's, of which those that equal b's come first. IN makes keys of what
// the arrays have.
#define PATH(a, many_a, b, many_b, diagonal, IN, from)                                                                      \
    do {                                                                                                                    \
        ulong above = min((ulong)(diagonal), (ulong)(many_a));                                                              \
        from = (diagonal) > (many_b) ? (diagonal) - (many_b) : 0;                                                           \
        while (from < above) {                                                                                              \
            ulong middle = (from + above) / 2;                                                                              \
            if (IN(a[middle]) <= IN(b[(diagonal) - 1 - middle]))                                                            \
                from = middle + 1;                                                                                          \
            else                                                                                                            \
                above = middle;                                                                                             \
        }                                                                                                                   \
    } while (0)
#define SAME(key) (key)

kernel void stream_merge(global const KEY *a, global const KEY *b, global KEY *out, ulong many_a, ulong many_b) {
    local KEY keys[WIDTH * ITEMS];
    local ulong ends[2];
    uint me = get_local_id(0);
    ulong n = many_a + many_b, tile = get_group_id(0) * (ulong)(WIDTH * ITEMS);
    ulong end = min(tile + WIDTH * ITEMS, n);
    if (me < 2) {
        ulong diagonal = me == 0 ? tile : end, from;
        PATH(a, many_a, b, many_b, diagonal, turned, from);
        ends[me] = from;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    // The tile's part of a, and behind it that of b. Of arrays that are not sorted it may end before it begins.
    ulong from_a = ends[0], from_b = tile - from_a;
    uint here = (uint)(end - tile), here_a = (uint)(clamp(ends[1], from_a, from_a + here) - from_a), here_b = here - here_a;
    for (uint i = me; i < here; i += WIDTH)
        keys[i] = turned(i < here_a ? a[from_a + i] : b[from_b + i - here_a]);
    barrier(CLK_LOCAL_MEM_FENCE);
    KEY mine[ITEMS];
    uint start = min(me * ITEMS, here), many = min((uint)ITEMS, here - start);
    local const KEY *second = keys + here_a;
    ulong at_a;
    PATH(keys, here_a, second, here_b, (ulong)start, SAME, at_a);
    ulong at_b = start - at_a;
    for (uint i = 0; i < many; ++i) {
        bool is_a = at_b >= here_b || (at_a < here_a && keys[at_a] <= second[at_b]);
        mine[i] = is_a ? keys[at_a++] : second[at_b++];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < many; ++i)
        keys[start + i] = mine[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = me; i < here; i += WIDTH)
        out[tile + i] = turned_back(keys[i]);
}
