// One time step of the heat equation in space: after = before + RATE · (the six neighbours − 6 · before).
// The field before has a margin of one point on every side, the field after has none; nx, ny and nz are
// multiples of TILE_X, TILE_Y and TILE_Z. A work-item makes one point.

#define RATE 0.1f

// Every work-item reads its seven points from global memory.
__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, TILE_Z)))
void stencil_7_point_global(__global const float *before, __global float *after, int nx, int ny)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int z = get_global_id(2);
    const int row = nx + 2;
    const int plane = row * (ny + 2);
    const int here = (z + 1) * plane + (y + 1) * row + x + 1;

    const float around = before[here - 1] + before[here + 1] + before[here - row] + before[here + row]
                       + before[here - plane] + before[here + plane];
    after[(z * ny + y) * nx + x] = before[here] + RATE * (around - 6.0f * before[here]);
}

// The work-group brings its brick, with its margin, to local memory.
__kernel __attribute__((reqd_work_group_size(TILE_X, TILE_Y, TILE_Z)))
void stencil_7_point_local(__global const float *before, __global float *after, int nx, int ny)
{
    __local float brick[TILE_Z + 2][TILE_Y + 2][TILE_X + 2];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int z = get_local_id(2);
    const int row = nx + 2;
    const int plane = row * (ny + 2);
    const int corner = (get_group_id(2) * TILE_Z * plane) + get_group_id(1) * TILE_Y * row
                     + get_group_id(0) * TILE_X;

    for (int k = z; k < TILE_Z + 2; k += TILE_Z)
        for (int j = y; j < TILE_Y + 2; j += TILE_Y)
            for (int i = x; i < TILE_X + 2; i += TILE_X)
                brick[k][j][i] = before[corner + k * plane + j * row + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    const float here = brick[z + 1][y + 1][x + 1];
    const float around = brick[z + 1][y + 1][x] + brick[z + 1][y + 1][x + 2]
                       + brick[z + 1][y][x + 1] + brick[z + 1][y + 2][x + 1]
                       + brick[z][y + 1][x + 1] + brick[z + 2][y + 1][x + 1];
    const int after_here = (get_global_id(2) * ny + get_global_id(1)) * nx + get_global_id(0);
    after[after_here] = here + RATE * (around - 6.0f * here);
}
