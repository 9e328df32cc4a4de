// distances[p] = by how many insertions, deletions and exchanges of a letter word p becomes the other
// word p (Levenshtein 1966), by the table of Wagner and Fischer (1974), of which one row is kept. A
// work-item has one pair; the row's numbers of neighbours lie side by side.

// What a row's next number is, from the ones left of it, above it, and above and left of it.
ushort edits(ushort left, ushort above, ushort corner, bool same)
{
    return min(min(left, above) + 1, corner + !same);
}

// The row lies in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levenshtein_global(__global const uchar *words, __global const uchar *others,
                        __global ushort *distances, int length, __global ushort *scratch)
{
    const int pair = get_global_id(0);
    const int pairs = get_global_size(0);
    __global ushort *row = scratch + pair;

    for (int j = 0; j <= length; ++j)
        row[j * pairs] = j;
    for (int i = 1; i <= length; ++i) {
        const uchar letter = words[(i - 1) * pairs + pair];
        ushort corner = row[0];
        ushort left = i;
        row[0] = i;
        for (int j = 1; j <= length; ++j) {
            const ushort above = row[j * pairs];
            left = edits(left, above, corner, letter == others[(j - 1) * pairs + pair]);
            row[j * pairs] = left;
            corner = above;
        }
    }
    distances[pair] = row[length * pairs];
}

// The row lies in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void levenshtein_local(__global const uchar *words, __global const uchar *others,
                       __global ushort *distances, int length, __local ushort *rows)
{
    const int pair = get_global_id(0);
    const int pairs = get_global_size(0);
    __local ushort *row = rows + get_local_id(0);

    for (int j = 0; j <= length; ++j)
        row[j * GROUP] = j;
    for (int i = 1; i <= length; ++i) {
        const uchar letter = words[(i - 1) * pairs + pair];
        ushort corner = row[0];
        ushort left = i;
        row[0] = i;
        for (int j = 1; j <= length; ++j) {
            const ushort above = row[j * GROUP];
            left = edits(left, above, corner, letter == others[(j - 1) * pairs + pair]);
            row[j * GROUP] = left;
            corner = above;
        }
    }
    distances[pair] = row[length * GROUP];
}
