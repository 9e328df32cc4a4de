// Sorts every row of keys by insertion. A work-item has a row; the same key of neighbours' rows lies side
// by side.

// The keys are moved in global memory, in place.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void insertion_sort_rows_global(__global uint *keys, int length)
{
    const int rows = get_global_size(0);
    __global uint *row = keys + get_global_id(0);

    for (int i = 1; i < length; ++i) {
        const uint key = row[i * rows];
        int place = i;
        for (; place > 0 && row[(place - 1) * rows] > key; --place)
            row[place * rows] = row[(place - 1) * rows];
        row[place * rows] = key;
    }
}

// The keys are moved in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void insertion_sort_rows_local(__global uint *keys, int length, __local uint *own)
{
    const int rows = get_global_size(0);
    __global uint *row = keys + get_global_id(0);
    __local uint *sorted = own + get_local_id(0);

    for (int i = 0; i < length; ++i) {
        const uint key = row[i * rows];
        int place = i;
        for (; place > 0 && sorted[(place - 1) * GROUP] > key; --place)
            sorted[place * GROUP] = sorted[(place - 1) * GROUP];
        sorted[place * GROUP] = key;
    }
    for (int i = 0; i < length; ++i)
        row[i * rows] = sorted[i * GROUP];
}
