// gathered[i] = table[indices[i]].

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gather(__global const float *table, __global const uint *indices, __global float *gathered)
{
    const int i = get_global_id(0);
    gathered[i] = table[indices[i]];
}
