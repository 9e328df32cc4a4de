// One time step of an explicit finite-difference scheme of order 8 in three dimensions; after NVIDIA's
// SDK program FDTD3d. With Nx = nx + 2 RADIUS and so on, the field before the step is Nx × Ny × Nz
// with x fastest: the inner nx × ny × nz points and a margin of RADIUS on every side, so that no point
// needs a special case. The field after it has the inner points only:
//   after = c[0] · before + Σ_{r = 1..RADIUS} c[r] · (the six neighbours at distance r)
//
// nx is a multiple of TILE_X, ny of TILE_Y. A work-item has one (x, y) and goes along z, with the
// 2 RADIUS + 1 points around it on that axis in registers, so that each is loaded once.

#define RADIUS 4
#define AXIS (2 * RADIUS + 1)

// One step along z: drops the first point of the axis, and appends one.
void advance(float axis[AXIS], float next)
{
    for (int i = 0; i < AXIS - 1; ++i)
        axis[i] = axis[i + 1];
    axis[AXIS - 1] = next;
}

// The neighbours in x and y come straight from global memory.
__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
void fdtd3d_global(__global const float *before, __global const float *coefficients, __global float *after,
                   int nx, int ny, int nz)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int row = nx + 2 * RADIUS;
    const int plane = row * (ny + 2 * RADIUS);
    const int column = (y + RADIUS) * row + x + RADIUS;

    float axis[AXIS];
    for (int i = 1; i < AXIS; ++i)
        axis[i] = before[(i - 1) * plane + column];

    for (int z = 0; z < nz; ++z) {
        advance(axis, before[(z + 2 * RADIUS) * plane + column]);
        const int here = (z + RADIUS) * plane + column;
        float sum = coefficients[0] * axis[RADIUS];
        for (int r = 1; r <= RADIUS; ++r)
            sum += coefficients[r] * (axis[RADIUS - r] + axis[RADIUS + r]
                                      + before[here - r] + before[here + r]
                                      + before[here - r * row] + before[here + r * row]);
        after[(z * ny + y) * nx + x] = sum;
    }
}

// The work-group shares its part of the current plane, with the margin around it, in local memory.
__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, 1)))
void fdtd3d_local(__global const float *before, __global const float *coefficients, __global float *after,
                  int nx, int ny, int nz)
{
    __local float tile[TILE_Y + 2 * RADIUS][TILE_X + 2 * RADIUS];
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int tile_x = get_local_id(0) + RADIUS;
    const int tile_y = get_local_id(1) + RADIUS;
    const int row = nx + 2 * RADIUS;
    const int plane = row * (ny + 2 * RADIUS);
    const int column = (y + RADIUS) * row + x + RADIUS;

    float axis[AXIS];
    for (int i = 1; i < AXIS; ++i)
        axis[i] = before[(i - 1) * plane + column];

    for (int z = 0; z < nz; ++z) {
        advance(axis, before[(z + 2 * RADIUS) * plane + column]);
        const int here = (z + RADIUS) * plane + column;

        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the last plane any more
        tile[tile_y][tile_x] = axis[RADIUS];
        if (get_local_id(0) < RADIUS) { // the margins left and right
            tile[tile_y][tile_x - RADIUS] = before[here - RADIUS];
            tile[tile_y][tile_x + TILE_X] = before[here + TILE_X];
        }
        if (get_local_id(1) < RADIUS) { // the margins above and below
            tile[tile_y - RADIUS][tile_x] = before[here - RADIUS * row];
            tile[tile_y + TILE_Y][tile_x] = before[here + TILE_Y * row];
        }
        barrier(CLK_LOCAL_MEM_FENCE); // this plane is complete

        float sum = coefficients[0] * axis[RADIUS];
        for (int r = 1; r <= RADIUS; ++r)
            sum += coefficients[r] * (axis[RADIUS - r] + axis[RADIUS + r]
                                      + tile[tile_y][tile_x - r] + tile[tile_y][tile_x + r]
                                      + tile[tile_y - r][tile_x] + tile[tile_y + r][tile_x]);
        after[(z * ny + y) * nx + x] = sum;
    }
}
