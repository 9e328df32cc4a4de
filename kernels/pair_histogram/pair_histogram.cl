// Counts how often squared distances between a particle and any of the first `others` fall into BINS
// equal intervals: what a radial distribution function is made of. A work-item has a particle.

#define BINS 192
#define SHIFT 14 // an interval's width, as a power of 2

int bin_of(int4 a, short4 place)
{
    const int4 apart = a - convert_int4(place);
    return (apart.x * apart.x + apart.y * apart.y + apart.z * apart.z) >> SHIFT;
}

// Every distance is counted in global memory at once.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pair_histogram_global(__global const short4 *places, __global uint *counts, int others)
{
    const int4 own = convert_int4(places[get_global_id(0)]);
    for (int other = 0; other < others; ++other)
        atomic_inc(&counts[bin_of(own, places[other])]);
}

// The work-group counts in local memory and adds its counts to the global ones at the end.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pair_histogram_local(__global const short4 *places, __global uint *counts, int others)
{
    __local uint own_counts[BINS];
    for (int bin = get_local_id(0); bin < BINS; bin += GROUP)
        own_counts[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    const int4 own = convert_int4(places[get_global_id(0)]);
    for (int other = 0; other < others; ++other)
        atomic_inc(&own_counts[bin_of(own, places[other])]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int bin = get_local_id(0); bin < BINS; bin += GROUP)
        if (own_counts[bin] > 0)
            atomic_add(&counts[bin], own_counts[bin]);
}
