// Adds to counts[b] the number of values whose lowest bits are b. bins is a power of 2; n is a multiple
// of the number of work-items, each of which takes its values that far apart.

// Every value is counted in global memory at once.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_global(__global const ushort *values, __global uint *counts, int n, int bins)
{
    const int apart = get_global_size(0);
    for (int i = get_global_id(0); i < n; i += apart)
        atomic_inc(&counts[values[i] & (bins - 1)]);
}

// The work-group counts in local memory and adds its counts to the global ones at the end.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void histogram_local(__global const ushort *values, __global uint *counts, int n, int bins,
                     __local uint *own)
{
    const int apart = get_global_size(0);

    for (int bin = get_local_id(0); bin < bins; bin += GROUP)
        own[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = get_global_id(0); i < n; i += apart)
        atomic_inc(&own[values[i] & (bins - 1)]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int bin = get_local_id(0); bin < bins; bin += GROUP)
        if (own[bin] > 0)
            atomic_add(&counts[bin], own[bin]);
}
