// scattered[places[i]] = values[i]; the places are a permutation.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scatter(__global const float *values, __global const uint *places, __global float *scattered)
{
    const int i = get_global_id(0);
    scattered[places[i]] = values[i];
}
