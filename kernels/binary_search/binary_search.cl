// ranks[q] = how many of the table's entries, which ascend, are smaller than query q. entries is a
// power of 2 and at least GROUP, which is one as well.

// How many of the first `reach` − 1 entries are smaller than the query; reach is a power of 2.
int rank_within(__global const uint *table, int reach, uint query)
{
    int rank = 0;
    for (int half_way = reach / 2; half_way > 0; half_way /= 2)
        if (table[rank + half_way - 1] < query)
            rank += half_way;
    return rank;
}

// Every step reads global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void binary_search_global(__global const uint *table, __global const uint *queries, __global uint *ranks,
                          int entries)
{
    const int q = get_global_id(0);
    const int rank = rank_within(table, entries, queries[q]);
    ranks[q] = rank + (table[rank] < queries[q]);
}

// The first steps, the same for all, are made in local memory: GROUP entries, evenly spread.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void binary_search_local(__global const uint *table, __global const uint *queries, __global uint *ranks,
                         int entries)
{
    __local uint lasts[GROUP]; // the last entry of each of GROUP equal parts of the table
    const int q = get_global_id(0);
    const int part = entries / GROUP;

    lasts[get_local_id(0)] = table[(get_local_id(0) + 1) * part - 1];
    barrier(CLK_LOCAL_MEM_FENCE);

    const uint query = queries[q];
    int parts = 0;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2)
        if (lasts[parts + half_way - 1] < query)
            parts += half_way;
    const int before = parts * part;
    const int rank = before + rank_within(table + before, part, query);
    ranks[q] = rank + (table[rank] < query);
}
