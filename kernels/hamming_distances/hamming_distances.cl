// distances[q][c] = in how many bits query q and code c differ. A work-item has one pair; the numbers of
// queries and codes are multiples of TILE.

ushort distance_of(ulong4 a, ulong4 b)
{
    return popcount(a.x ^ b.x) + popcount(a.y ^ b.y) + popcount(a.z ^ b.z) + popcount(a.w ^ b.w);
}

// Every work-item reads both from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void hamming_distances_global(__global const ulong4 *queries, __global const ulong4 *codes,
                              __global ushort *distances)
{
    const int c = get_global_id(0);
    const int q = get_global_id(1);
    distances[q * get_global_size(0) + c] = distance_of(queries[q], codes[c]);
}

// The work-group brings its TILE queries and TILE codes to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void hamming_distances_local(__global const ulong4 *queries, __global const ulong4 *codes,
                             __global ushort *distances)
{
    __local ulong4 tile_queries[TILE];
    __local ulong4 tile_codes[TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int c = get_global_id(0);
    const int q = get_global_id(1);

    if (y == 0)
        tile_codes[x] = codes[c];
    if (y == 1)
        tile_queries[x] = queries[get_group_id(1) * TILE + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    distances[q * get_global_size(0) + c] = distance_of(tile_queries[y], tile_codes[x]);
}
