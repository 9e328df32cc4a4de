// The force on every particle from all others within the cutoff, by the potential of Lennard-Jones and by
// their charges, whose pull is shifted so that it ends at the cutoff. Space is divided into nx × ny × nz cells
// as wide as the cutoff, 1, each with CAPACITY places, of which the first are taken; opposite sides of the
// whole meet. Places within a cell are relative to it, so that a neighbour's particles are moved by −1, 0 or 1.
// A work-group has a cell, a work-item a place in it; empty places get no force.

typedef struct {
    float cutoff_squared;  // beyond, there is no force
    float nearest_squared; // nearer, forces grow no more
    float depth;
    float size_squared;
} force_field;

#define NEIGHBOURS 27
#define OWN 13
#define CELL(x, y, z) (((z) * ny + (y)) * nx + (x))
#define PLACE(cell, k) ((cell) * CAPACITY + (k))
#define WRAP(at, size) ((at) < 0 ? (at) + (size) : (at) >= (size) ? (at) - (size) : (at))
#define CHARGE(particle) ((particle).w - 0.5f)

// The force on `here` from `there`.
static inline float4 pair_force(float4 here, float4 there, force_field field)
{
    float4 apart = here - there;
    apart.w = 0.0f;
    const float squared = dot(apart, apart);
    if (squared >= field.cutoff_squared)
        return (float4)(0.0f);
    const float inverse = 1.0f / fmax(squared, field.nearest_squared);
    const float ratio = field.size_squared * inverse;
    const float sixth = ratio * ratio * ratio;
    const float charged = inverse * sqrt(inverse) - rsqrt(field.cutoff_squared) / field.cutoff_squared;
    return apart * (24.0f * field.depth * inverse * sixth * (2.0f * sixth - 1.0f)
                    + CHARGE(here) * CHARGE(there) * charged);
}

// How far neighbour n is away, in cells.
static inline int3 direction(int n)
{
    return (int3)(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1);
}

// Neighbours are read from global memory.
__kernel __attribute__((reqd_work_group_size(CAPACITY, 1, 1)))
void cell_forces_global(__global const float4 *particles, __global const int *counts, __global float4 *forces,
                        force_field field, int nx, int ny, int nz)
{
    const int cell = get_group_id(0);
    const int item = get_local_id(0);
    const int x = cell % nx, y = cell / nx % ny, z = cell / nx / ny;

    float4 force = 0.0f;
    if (item < counts[cell]) {
        const float4 own = particles[PLACE(cell, item)];
        for (int n = 0; n < NEIGHBOURS; ++n) {
            const int3 by = direction(n);
            const int other = CELL(WRAP(x + by.x, nx), WRAP(y + by.y, ny), WRAP(z + by.z, nz));
            const float4 here = own - (float4)(by.x, by.y, by.z, 0.0f);
            for (int k = 0; k < counts[other]; ++k)
                if (n != OWN || k != item)
                    force += pair_force(here, particles[PLACE(other, k)], field);
        }
    }
    forces[PLACE(cell, item)] = force;
}

// The work-group brings each neighbour to local memory.
__kernel __attribute__((reqd_work_group_size(CAPACITY, 1, 1)))
void cell_forces_local(__global const float4 *particles, __global const int *counts, __global float4 *forces,
                       force_field field, int nx, int ny, int nz, __local float4 *tile)
{
    const int cell = get_group_id(0);
    const int item = get_local_id(0);
    const int x = cell % nx, y = cell / nx % ny, z = cell / nx / ny;
    const float4 own = particles[PLACE(cell, item)];
    const bool taken = item < counts[cell];

    float4 force = 0.0f;
    for (int n = 0; n < NEIGHBOURS; ++n) {
        const int3 by = direction(n);
        const int other = CELL(WRAP(x + by.x, nx), WRAP(y + by.y, ny), WRAP(z + by.z, nz));
        const float4 here = own - (float4)(by.x, by.y, by.z, 0.0f);
        const int count = counts[other];

        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the last neighbour any more
        if (item < count)
            tile[item] = particles[PLACE(other, item)];
        barrier(CLK_LOCAL_MEM_FENCE); // this one is complete

        if (taken)
            for (int k = 0; k < count; ++k)
                if (n != OWN || k != item)
                    force += pair_force(here, tile[k], field);
    }
    forces[PLACE(cell, item)] = force;
}
