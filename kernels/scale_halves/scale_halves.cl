// scaled = factor · number + offset, stored in half precision and computed in single, as devices without
// arithmetic on halves do. A work-item has `per_item` numbers, which lie as far apart as there are
// work-items.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void scale_halves(__global const ushort *numbers, __global ushort *scaled, int per_item, float factor,
                  float offset)
{
    const int items = get_global_size(0);
    for (int i = get_global_id(0); i < per_item * items; i += items)
        vstore_half(fma(factor, vload_half(i, (__global const half *)numbers), offset), i,
                    (__global half *)scaled);
}
