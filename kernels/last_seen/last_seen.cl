// days[k] = TODAY if kind k is among today's sightings, else as it was. Whoever sees a kind writes the
// same, so no atomic is needed. A work-item looks at `per_item` sightings, which lie as far apart as
// there are work-items.

#define TODAY 365

// Everybody writes to global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void last_seen_global(__global const ushort *sightings, __global int *days, int per_item, int kinds)
{
    const int apart = get_global_size(0);
    for (int i = 0; i < per_item; ++i)
        days[sightings[get_global_id(0) + i * apart] & (kinds - 1)] = TODAY;
}

// The work-group notes what it has seen in local memory, and writes every kind once.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void last_seen_local(__global const ushort *sightings, __global int *days, int per_item, int kinds,
                     __local int *seen)
{
    const int apart = get_global_size(0);
    for (int kind = get_local_id(0); kind < kinds; kind += GROUP)
        seen[kind] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int i = 0; i < per_item; ++i)
        seen[sightings[get_global_id(0) + i * apart] & (kinds - 1)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int kind = get_local_id(0); kind < kinds; kind += GROUP)
        if (seen[kind])
            days[kind] = TODAY;
}
