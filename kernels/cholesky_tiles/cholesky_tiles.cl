// The Cholesky factors L, lower triangular, of many symmetric matrices: L · Lᵀ = the tile's lower triangle,
// mirrored, + SHIFT · 1. The shift outweighs the other numbers of any row, so that each matrix is positive
// definite. A work-group has one row-major SIDE × SIDE tile, a work-item one number of it.

#define SHIFT 17.0f

// The factor grows in global memory.
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void cholesky_tiles_global(__global const float *tiles, __global float *factors)
{
    const int column = get_local_id(0);
    const int row = get_local_id(1);
    const int here = row * SIDE + column;
    const int start = get_group_id(0) * SIDE * SIDE;
    __global float *l = factors + start;

    l[here] = row < column ? 0.0f : tiles[start + here] + (row == column ? SHIFT : 0.0f);
    for (int pivot = 0; pivot < SIDE; ++pivot) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (row == pivot && column == pivot)
            l[here] = sqrt(l[here]);
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (row > pivot && column == pivot)
            l[here] /= l[pivot * SIDE + pivot];
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (row >= column && column > pivot)
            l[here] = fma(-l[row * SIDE + pivot], l[column * SIDE + pivot], l[here]);
    }
}

// The factor grows in local memory.
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void cholesky_tiles_local(__global const float *tiles, __global float *factors)
{
    __local float l[SIDE][SIDE + 1]; // one more, so that a column lies in different banks
    const int column = get_local_id(0);
    const int row = get_local_id(1);
    const int here = get_group_id(0) * SIDE * SIDE + row * SIDE + column;

    l[row][column] = row < column ? 0.0f : tiles[here] + (row == column ? SHIFT : 0.0f);
    for (int pivot = 0; pivot < SIDE; ++pivot) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row == pivot && column == pivot)
            l[row][column] = sqrt(l[row][column]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row > pivot && column == pivot)
            l[row][column] /= l[pivot][pivot];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (row >= column && column > pivot)
            l[row][column] = fma(-l[row][pivot], l[column][pivot], l[row][column]);
    }
    factors[here] = l[row][column];
}
