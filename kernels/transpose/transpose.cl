// target[c][r] = source[r][c] for a row-major matrix whose sides are multiples of TILE.

// Neighbours read side by side and write a row of the target apart.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose_global(__global const float *source, __global float *target, int rows, int columns)
{
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    target[column * rows + row] = source[row * columns + column];
}

// A tile is turned in local memory, so that neighbours also write side by side.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void transpose_local(__global const float *source, __global float *target, int rows, int columns)
{
    __local float tile[TILE][TILE + 1]; // one more, so that a column lies in different banks
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    tile[y][x] = source[(top + y) * columns + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    target[(left + y) * rows + top + x] = tile[x][y];
}
