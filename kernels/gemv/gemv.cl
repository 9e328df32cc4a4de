// y = a · x for a row-major matrix a; the number of rows is a multiple of GROUP.

// A work-item makes one number of y: neighbours read a row of a apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gemv_global(__global const float *a, __global const float *x, __global float *y, int columns)
{
    const int row = get_global_id(0);

    float sum = 0.0f;
    for (int column = 0; column < columns; ++column)
        sum += a[row * columns + column] * x[column];
    y[row] = sum;
}

// A work-group makes one number of y: neighbours read side by side, and meet in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gemv_local(__global const float *a, __global const float *x, __global float *y, int columns)
{
    __local float partial[GROUP];
    const int item = get_local_id(0);
    const int row = get_group_id(0);

    float sum = 0.0f;
    for (int column = item; column < columns; column += GROUP)
        sum += a[row * columns + column] * x[column];
    partial[item] = sum;

    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    if (item == 0)
        y[row] = partial[0];
}
