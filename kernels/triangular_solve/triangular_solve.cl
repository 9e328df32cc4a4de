// Solves L · X = B for many SIDE × SIDE matrices L, each with GROUP right-hand sides B, all row-major. L is
// the strictly lower triangle of its block with ones on the diagonal, as LU factorisation leaves it. A
// work-group has one block, a work-item one right-hand side.

// Solutions are read back from global memory, and so is the triangle, all work-items the same number.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void triangular_solve_global(__global const float *triangles, __global const float *right_sides,
                             __global float *solutions)
{
    const int block = get_group_id(0);
    __global const float *l = triangles + block * SIDE * SIDE;
    __global const float *b = right_sides + block * SIDE * GROUP + get_local_id(0);
    __global float *x = solutions + block * SIDE * GROUP + get_local_id(0);

    for (int row = 0; row < SIDE; ++row) {
        float rest = b[row * GROUP];
        for (int known = 0; known < row; ++known)
            rest = fma(-l[row * SIDE + known], x[known * GROUP], rest);
        x[row * GROUP] = rest;
    }
}

// The triangle and the solutions lie in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void triangular_solve_local(__global const float *triangles, __global const float *right_sides,
                            __global float *solutions)
{
    __local float l[SIDE * SIDE];
    __local float x[SIDE][GROUP];
    const int item = get_local_id(0);
    const int block = get_group_id(0);
    const int start = block * SIDE * GROUP + item;

    for (int i = item; i < SIDE * SIDE; i += GROUP)
        l[i] = triangles[block * SIDE * SIDE + i];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int row = 0; row < SIDE; ++row) {
        float rest = right_sides[start + row * GROUP];
        for (int known = 0; known < row; ++known)
            rest = fma(-l[row * SIDE + known], x[known][item], rest);
        x[row][item] = rest; // nobody else reads it
        solutions[start + row * GROUP] = rest;
    }
}
