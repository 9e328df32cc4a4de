// L and U, one above the other, of matrix + SHIFT · 1 for many row-major side × side matrices; L's
// diagonal is 1 and not stored. The shift outweighs the rest of a row, so that no row need be exchanged.
// A work-group has a matrix, a work-item a row; side is at most GROUP.

#define SHIFT 65.0f

// The factors grow in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lu_tiles_global(__global const float *matrices, __global float *factors, int side)
{
    const int row = get_local_id(0);
    const int start = get_group_id(0) * side * side;
    __global float *lu = factors + start;

    if (row < side)
        for (int column = 0; column < side; ++column)
            lu[row * side + column] = matrices[start + row * side + column] + (row == column ? SHIFT : 0.0f);
    for (int pivot = 0; pivot < side - 1; ++pivot) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the pivot's row is done
        if (row > pivot && row < side) {
            const float factor = lu[row * side + pivot] / lu[pivot * side + pivot];
            lu[row * side + pivot] = factor;
            for (int column = pivot + 1; column < side; ++column)
                lu[row * side + column] -= factor * lu[pivot * side + column];
        }
    }
}

// The factors grow in local memory; a row is one longer there, so that a column lies in different banks.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lu_tiles_local(__global const float *matrices, __global float *factors, int side, __local float *tile)
{
    const int item = get_local_id(0);
    const int start = get_group_id(0) * side * side;
    const int pitch = side + 1;

    for (int i = item; i < side * side; i += GROUP)
        tile[i / side * pitch + i % side] = matrices[start + i] + (i / side == i % side ? SHIFT : 0.0f);
    for (int pivot = 0; pivot < side - 1; ++pivot) {
        barrier(CLK_LOCAL_MEM_FENCE); // the pivot's row is done
        if (item > pivot && item < side) {
            const float factor = tile[item * pitch + pivot] / tile[pivot * pitch + pivot];
            tile[item * pitch + pivot] = factor;
            for (int column = pivot + 1; column < side; ++column)
                tile[item * pitch + column] -= factor * tile[pivot * pitch + column];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < side * side; i += GROUP)
        factors[start + i] = tile[i / side * pitch + i % side];
}
