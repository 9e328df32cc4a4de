// target[i] = source[i · stride]: the wider the stride, the less of each line of memory is used.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void strided_copy(__global const float *source, __global float *target, int stride)
{
    const int i = get_global_id(0);
    target[i] = source[i * stride];
}
