// y = A · x for a sparse square matrix A with per_row numbers in every row, laid out so that the k-th
// numbers of all rows lie side by side. A work-item makes one number of y.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void spmv_ell(__global const float *values, __global const int *columns, __global const float *x,
              __global float *y, int per_row)
{
    const int row = get_global_id(0);
    const int rows = get_global_size(0);

    float sum = 0.0f;
    for (int k = 0; k < per_row; ++k)
        sum += values[k * rows + row] * x[columns[k * rows + row]];
    y[row] = sum;
}
