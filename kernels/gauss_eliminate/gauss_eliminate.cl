// The first step of Gauss's elimination, in place: every row but the first of a row-major matrix loses
// that multiple of the first which makes its first number 0, and keeps the factor there. A work-item has
// a row: neighbours are a row apart, and no reading may be moved across a writing, since both are of one
// matrix.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gauss_eliminate(__global float *matrix, int columns)
{
    __global const float *pivot = matrix;
    __global float *row = matrix + (get_global_id(0) + 1) * columns;

    const float factor = row[0] / pivot[0];
    row[0] = factor;
    for (int column = 1; column < columns; ++column)
        row[column] -= factor * pivot[column];
}
