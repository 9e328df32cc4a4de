// Copies EACH elements a work-item, all read before the first is written.
// With -D: ELEMENT (float4), EACH.

__kernel void copy(__global const ELEMENT *restrict from, __global ELEMENT *restrict to)
{
    const size_t items = get_local_size(0);
    const size_t first = get_group_id(0) * items * EACH + get_local_id(0);
    ELEMENT part[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        part[k] = from[first + k * items];
#pragma unroll
    for (int k = 0; k < EACH; k++)
        to[first + k * items] = part[k];
}
