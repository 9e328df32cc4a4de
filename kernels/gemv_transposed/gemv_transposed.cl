// y = aᵀ · x for a row-major matrix a; the number of columns is a multiple of WIDTH.

// A work-item makes one number of y: it goes down a column, and neighbours read side by side.
__kernel __attribute__((reqd_work_group_size(WIDTH, 1, 1)))
void gemv_transposed_global(__global const float *a, __global const float *x, __global float *y, int rows)
{
    const int column = get_global_id(0);
    const int columns = get_global_size(0);

    float sum = 0.0f;
    for (int row = 0; row < rows; ++row)
        sum += a[row * columns + column] * x[row];
    y[column] = sum;
}

// SLICES work-items share a column, each with every SLICESth row, and meet in local memory.
__kernel __attribute__((reqd_work_group_size(WIDTH, SLICES, 1)))
void gemv_transposed_local(__global const float *a, __global const float *x, __global float *y, int rows)
{
    __local float partial[SLICES][WIDTH];
    const int column = get_global_id(0);
    const int columns = get_global_size(0);
    const int item = get_local_id(0);
    const int slice = get_local_id(1);

    float sum = 0.0f;
    for (int row = slice; row < rows; row += SLICES)
        sum += a[row * columns + column] * x[row];
    partial[slice][item] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (slice == 0) {
        for (int other = 1; other < SLICES; ++other)
            sum += partial[other][item];
        y[column] = sum;
    }
}
