// dense[places[i]] += factor · values[i]; no place comes twice, but the compiler can't know: every
// reading waits for the writing before it. A work-item has `per_item` values, which lie as far apart as
// there are work-items.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sparse_update(__global const int *places, __global const float *values, __global float *dense,
                   int per_item, float factor)
{
    const int items = get_global_size(0);
    for (int i = get_global_id(0); i < per_item * items; i += items)
        dense[places[i]] += factor * values[i];
}
