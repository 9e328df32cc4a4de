// The first pass of marching cubes (Lorensen and Cline, Comput. Graph. 21 (1987)): which of a cell's eight
// corners lie inside, as the bits of its case, how many triangles the surface has within the cell, and how many
// triangles and corners of triangles there are in every layer. A cell owns the corners of triangles on its three
// edges at corner 0. Where a face has two inner corners across from each other, they are kept apart. The volume
// has a sample more than cells along each axis; a work-item has four cells of a row.

__constant uchar triangles_of[256] = {
    0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 2, 1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 2, 3, 3, 2, 3, 4, 4, 3, 3, 4, 4, 3, 4, 5, 5, 2,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 2, 3, 3, 4, 3, 2, 4, 3, 3, 4, 4, 5, 4, 3, 5, 2,
    2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 4, 3, 4, 4, 3, 4, 3, 5, 2, 4, 5, 5, 4, 5, 4, 2, 1,
    1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 3, 2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 4, 5, 5, 4,
    2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 2, 3, 4, 5, 3, 2, 3, 4, 4, 3, 4, 5, 5, 4, 4, 5, 3, 2, 5, 2, 4, 1,
    2, 3, 3, 4, 3, 4, 4, 5, 3, 4, 4, 5, 2, 3, 3, 2, 3, 4, 4, 5, 4, 3, 5, 4, 4, 5, 5, 2, 3, 2, 4, 1,
    3, 4, 4, 5, 4, 5, 5, 2, 4, 5, 3, 4, 3, 4, 2, 1, 2, 3, 3, 2, 3, 2, 4, 1, 3, 4, 2, 1, 2, 1, 1, 0,
};

#define CELLS 4
#define NEIGHBOURS_OF_0 0x16u // corners 1, 2 and 4
#define PAIR(bits, k) ((bits) >> (k) & 3u)
#define CASE(k) (uchar)(PAIR(a, k) | PAIR(b, k) << 2 | PAIR(c, k) << 4 | PAIR(d, k) << 6)
#define COUNT(code) triangles_of[code]
#define CORNERS(code) popcount(((code) & 1u ? ~(uint)(code) : (uint)(code)) & NEIGHBOURS_OF_0)

// Bit k: whether the k-th of five samples lies inside.
static inline uint inside(__global const short *row, short level)
{
    const short4 are = vload4(0, row) >= (short4)level;
    const uint4 bits = as_uint4(convert_int4(are)) & (uint4)(1, 2, 4, 8);
    return bits.x | bits.y | bits.z | bits.w | (row[CELLS] >= level) << CELLS;
}

// Writes four cells; returns their triangles and corners.
static inline uint2 classify(__global const short *volume, __global uchar4 *cases, __global uchar4 *counts,
                             short level, int nx, int ny, int x, int y, int z)
{
    const int row = nx + 1, plane = row * (ny + 1);
    __global const short *at = volume + z * plane + y * row + CELLS * x;
    const uint a = inside(at, level), b = inside(at + row, level);
    const uint c = inside(at + plane, level), d = inside(at + plane + row, level);

    const uchar4 code = (uchar4)(CASE(0), CASE(1), CASE(2), CASE(3));
    uchar4 count = 0;
    uint2 sums = 0;
    const uint every = a & b & c & d, some = a | b | c | d;
    if (some != 0 && every != 31) { // else the surface is elsewhere
        count = (uchar4)(COUNT(code.x), COUNT(code.y), COUNT(code.z), COUNT(code.w));
        sums.x = count.x + count.y + count.z + count.w;
        sums.y = CORNERS(code.x) + CORNERS(code.y) + CORNERS(code.z) + CORNERS(code.w);
    }
    const int place = (z * ny + y) * (nx / CELLS) + x;
    cases[place] = code;
    counts[place] = count;
    return sums;
}

// Every work-item adds to its layer's totals.
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
void isosurface_counts_global(__global const short *volume, __global uchar4 *cases, __global uchar4 *counts,
                              __global uint *totals, short level, int nx, int ny)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= nx / CELLS || y >= ny)
        return;
    const uint2 sums = classify(volume, cases, counts, level, nx, ny, x, y, z);
    if (sums.x > 0)
        atomic_add(&totals[2 * z], sums.x);
    if (sums.y > 0)
        atomic_add(&totals[2 * z + 1], sums.y);
}

// The work-group's sums meet in local memory first.
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
void isosurface_counts_local(__global const short *volume, __global uchar4 *cases, __global uchar4 *counts,
                             __global uint *totals, short level, int nx, int ny)
{
    __local uint group_totals[2];
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int item = get_local_id(1) * GROUP_X + get_local_id(0);

    if (item < 2)
        group_totals[item] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < nx / CELLS && y < ny) {
        const uint2 sums = classify(volume, cases, counts, level, nx, ny, x, y, z);
        if (sums.x > 0)
            atomic_add(&group_totals[0], sums.x);
        if (sums.y > 0)
            atomic_add(&group_totals[1], sums.y);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < 2 && group_totals[item] > 0)
        atomic_add(&totals[2 * z + item], group_totals[item]);
}
