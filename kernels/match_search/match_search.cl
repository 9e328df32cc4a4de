// The longest earlier match of every place of a text, as compressors of Lempel and Ziv's kind look for it:
// candidates are linked from the nearest one on, and the search ends early where a match is good enough. A
// work-item has a place.

typedef struct {
    int length;  // of the text
    int longest; // match that can be said
    int enough;  // a match that ends the search
    int steps;   // candidates, at most
    int window;  // no candidate is farther
} limits;

typedef struct {
    ushort length;
    ushort distance;
} match;

// The lowest byte of a word that is not 0.
inline int first_byte(uint word)
{
    return (31 - (int)clz(word & -word)) / 8;
}

// How many bytes agree, up to `room`.
static inline int agreeing(__global const uchar *a, __global const uchar *b, int room)
{
    int length = 0;
    for (; length + 4 <= room; length += 4) {
        const uint unlike = as_uint(vload4(0, a + length)) ^ as_uint(vload4(0, b + length));
        if (unlike != 0)
            return length + first_byte(unlike);
    }
    while (length < room && a[length] == b[length])
        ++length;
    return length;
}

__kernel void match_search(__global const uchar *restrict text, __global const int *restrict previous,
                           __global match *restrict matches, limits within)
{
    const int here = get_global_id(0);
    if (here >= within.length)
        return;

    const int room = min(within.longest, within.length - here);
    const int enough = min(within.enough, room);
    match best = {0, 0};
    int at = previous[here];
    for (int step = 0; step < within.steps; ++step, at = previous[at]) {
        if (at < 0 || here - at > within.window)
            break;
        // A longer match has the byte after the longest so far.
        if (text[at + best.length] != text[here + best.length])
            continue;
        const int length = agreeing(text + at, text + here, room);
        if (length > best.length) {
            best.length = length;
            best.distance = here - at;
            if (length >= enough)
                break;
        }
    }
    matches[here] = best;
}
