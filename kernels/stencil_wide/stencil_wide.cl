// sums[i] = weights[0] · v(i) + Σ_{r = 1..radius} weights[r] · (v(i − r) + v(i + r)), where v(i) is
// values[i + radius]: the values have a margin on both ends. A work-item makes one sum.

// Every work-item reads its values from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void stencil_wide_global(__global const float *values, __global const float *weights, __global float *sums,
                         int radius)
{
    const int i = get_global_id(0);
    const int here = i + radius;

    float sum = weights[0] * values[here];
    for (int r = 1; r <= radius; ++r)
        sum = fma(weights[r], values[here - r] + values[here + r], sum);
    sums[i] = sum;
}

// The work-group brings its part, with both margins, to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void stencil_wide_local(__global const float *values, __global const float *weights, __global float *sums,
                        int radius, __local float *part)
{
    const int i = get_global_id(0);
    const int start = get_group_id(0) * GROUP;
    const int here = get_local_id(0) + radius;

    for (int j = get_local_id(0); j < GROUP + 2 * radius; j += GROUP)
        part[j] = values[start + j];
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum = weights[0] * part[here];
    for (int r = 1; r <= radius; ++r)
        sum = fma(weights[r], part[here - r] + part[here + r], sum);
    sums[i] = sum;
}
