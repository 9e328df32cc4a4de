// One time step of the heat equation on a plane: after = before + RATE · (the four neighbours − 4 · before).
// The field before has a margin of one point on every side, the field after has none; width and height
// are multiples of TILE. A work-item makes one point.

#define RATE 0.2f

float step_of_heat(float here, float west, float east, float north, float south)
{
    return here + RATE * (west + east + north + south - 4.0f * here);
}

// Every work-item reads its five points from global memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void stencil_5_point_global(__global const float *before, __global float *after, int width)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int row = width + 2;
    const int here = (y + 1) * row + x + 1;
    after[y * width + x] = step_of_heat(before[here], before[here - 1], before[here + 1],
                                        before[here - row], before[here + row]);
}

// The work-group brings its tile, with its margin, to local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void stencil_5_point_local(__global const float *before, __global float *after, int width)
{
    __local float tile[TILE + 2][TILE + 2];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    for (int j = y; j < TILE + 2; j += TILE)
        for (int i = x; i < TILE + 2; i += TILE)
            tile[j][i] = before[(top + j) * (width + 2) + left + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    after[(top + y) * width + left + x] = step_of_heat(tile[y + 1][x + 1], tile[y + 1][x], tile[y + 1][x + 2],
                                                       tile[y][x + 1], tile[y + 2][x + 1]);
}
