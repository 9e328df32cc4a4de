// Everything that a replay has to translate, in a few lines: __constant and __local arguments, an
// array in local memory, and the number of groups.
__kernel void probe(__global int *out, __constant int *in, __local int *turned)
{
    __local int groups;
    const int item = get_local_id(0), size = get_local_size(0);

    if (item == 0)
        groups = get_num_groups(0);
    turned[size - 1 - item] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = turned[item] + groups;
}
