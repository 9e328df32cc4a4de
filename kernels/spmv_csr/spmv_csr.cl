// y = A · x for a sparse square matrix A whose row r has the numbers starts[r] … starts[r + 1] − 1 of
// values, each in the column beside it. A work-item makes one number of y.

// Every work-item walks along its row: neighbours read a row's length apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void spmv_csr_global(__global const float *values, __global const int *columns, __global const int *starts,
                     __global const float *x, __global float *y)
{
    const int row = get_global_id(0);

    float sum = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
        sum += values[i] * x[columns[i]];
    y[row] = sum;
}

// The work-group brings the products of its rows to local memory, neighbours side by side; then each
// work-item adds its row's: CSR-Stream of Greathouse and Daga (SC 2014).
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void spmv_csr_local(__global const float *values, __global const int *columns, __global const int *starts,
                    __global const float *x, __global float *y, __local float *products)
{
    const int row = get_global_id(0);
    const int first = starts[get_group_id(0) * GROUP];
    const int end = starts[(get_group_id(0) + 1) * GROUP];

    for (int i = first + get_local_id(0); i < end; i += GROUP)
        products[i - first] = values[i] * x[columns[i]];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = 0.0f;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
        sum += products[i - first];
    y[row] = sum;
}
