// The electrostatic potential Σ charge / √(distance² + SOFTENING) of all atoms at every point of a grid. A
// work-item has four points of a row, GROUP_X apart, for which an atom's distance in y and z is the same; so
// a work-group has 4 GROUP_X × GROUP_Y points, and some lie beyond the grid.

typedef struct {
    float4 origin;
    float spacing;
    int nx, ny, nz;
} lattice;

#define SOFTENING 0.01f
#define SPAN (4 * GROUP_X)

// The part of one atom at four points, whose places along x are given.
#define ADD_ATOM(sum, atom, xs, at_y, at_z)                                        \
    do {                                                                           \
        const float4 there = (atom);                                               \
        const float dy = (at_y) - there.y, dz = (at_z) - there.z;                  \
        const float4 dx = (xs) - there.x;                                          \
        sum += there.w * native_rsqrt(dx * dx + (dy * dy + dz * dz + SOFTENING));  \
    } while (0)

inline float4 four_places(lattice points, int x)
{
    const float4 steps = (float4)(0.0f, GROUP_X, 2 * GROUP_X, 3 * GROUP_X);
    return points.origin.x + points.spacing * ((float)x + steps);
}

// Writes those of the four that are on the grid.
inline void store_four(__global float *row, int x, int nx, float4 sum)
{
    if (x < nx)
        row[x] = sum.x;
    if (x + GROUP_X < nx)
        row[x + GROUP_X] = sum.y;
    if (x + 2 * GROUP_X < nx)
        row[x + 2 * GROUP_X] = sum.z;
    if (x + 3 * GROUP_X < nx)
        row[x + 3 * GROUP_X] = sum.w;
}

// The atoms are in constant memory.
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
void grid_potential_global(__constant float4 *atoms, int count, lattice points, __global float *potential)
{
    const int x = get_group_id(0) * SPAN + get_local_id(0);
    const int y = get_global_id(1), z = get_global_id(2);
    if (x >= points.nx || y >= points.ny)
        return;

    const float4 xs = four_places(points, x);
    const float at_y = points.origin.y + points.spacing * y, at_z = points.origin.z + points.spacing * z;
    float4 sum = 0.0f;
    for (int i = 0; i < count; ++i)
        ADD_ATOM(sum, atoms[i], xs, at_y, at_z);
    store_four(potential + (z * points.ny + y) * points.nx, x, points.nx, sum);
}

// The work-group brings the atoms to local memory, part after part.
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
void grid_potential_local(__global const float4 *atoms, int count, lattice points, __global float *potential)
{
    __local float4 part[GROUP_X * GROUP_Y];
    const int item = mad24((int)get_local_id(1), GROUP_X, (int)get_local_id(0));
    const int x = get_group_id(0) * SPAN + get_local_id(0);
    const int y = get_global_id(1), z = get_global_id(2);

    const float4 xs = four_places(points, x);
    const float at_y = points.origin.y + points.spacing * y, at_z = points.origin.z + points.spacing * z;
    float4 sum = 0.0f;
    for (int start = 0; start < count; start += GROUP_X * GROUP_Y) {
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the last part any more
        if (start + item < count)
            part[item] = atoms[start + item];
        barrier(CLK_LOCAL_MEM_FENCE);
        const int length = min(GROUP_X * GROUP_Y, count - start);
        for (int i = 0; i < length; ++i)
            ADD_ATOM(sum, part[i], xs, at_y, at_z);
    }
    if (y < points.ny)
        store_four(potential + (z * points.ny + y) * points.nx, x, points.nx, sum);
}
