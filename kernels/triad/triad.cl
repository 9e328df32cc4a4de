// sum = x + scale · y; the triad of McCalpin's STREAM benchmark (1995).

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void triad(__global const float *x, __global const float *y, __global float *sum, float scale)
{
    const int i = get_global_id(0);
    sum[i] = x[i] + scale * y[i];
}
