// Solves u · x = b for an upper triangular matrix u and many right-hand sides, which lie side by side and
// turn into the solutions, the last unknown first. A work-item has a right-hand side, and reads again
// what it has written before.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void back_substitution(__global const float *triangle, __global const float *diagonal,
                       __global float *unknowns, int n)
{
    const int systems = get_global_size(0);
    __global float *x = unknowns + get_global_id(0);

    for (int row = n - 1; row >= 0; --row) {
        float rest = x[row * systems];
        for (int known = row + 1; known < n; ++known)
            rest -= triangle[row * n + known] * x[known * systems];
        x[row * systems] = rest / diagonal[row];
    }
}
