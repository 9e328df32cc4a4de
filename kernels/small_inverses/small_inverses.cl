// The inverses of many row-major SIDE × SIDE matrices, by Gauss and Jordan with the largest pivot of a
// column. A work-item has a matrix. Which row holds the pivot is known at run time only: the private
// array can't stay in registers.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void small_inverses(__global const float *matrices, __global float *inverses)
{
    const int start = get_global_id(0) * SIDE * SIDE;

    float rows[SIDE][2 * SIDE]; // the matrix; beside it, what becomes its inverse
    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column) {
            rows[row][column] = matrices[start + row * SIDE + column];
            rows[row][SIDE + column] = row == column ? 1.0f : 0.0f;
        }

    for (int step = 0; step < SIDE; ++step) {
        int pivot = step;
        for (int row = step + 1; row < SIDE; ++row)
            if (fabs(rows[row][step]) > fabs(rows[pivot][step]))
                pivot = row;
        const float scale = 1.0f / rows[pivot][step];
        for (int column = 0; column < 2 * SIDE; ++column) {
            const float number = rows[pivot][column] * scale;
            rows[pivot][column] = rows[step][column];
            rows[step][column] = number;
        }
        for (int row = 0; row < SIDE; ++row) {
            if (row == step)
                continue;
            const float factor = rows[row][step];
            for (int column = 0; column < 2 * SIDE; ++column)
                rows[row][column] -= factor * rows[step][column];
        }
    }

    for (int row = 0; row < SIDE; ++row)
        for (int column = 0; column < SIDE; ++column)
            inverses[start + row * SIDE + column] = rows[row][SIDE + column];
}
