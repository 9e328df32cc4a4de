// sum = scale · x + y in double precision, after BLAS's DAXPY, which overwrites y.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void daxpy(__global const double *x, __global const double *y, __global double *sum, double scale)
{
    const int i = get_global_id(0);
    sum[i] = fma(scale, x[i], y[i]);
}
