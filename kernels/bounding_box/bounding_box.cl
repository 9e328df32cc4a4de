// Widens a box (least x, least y, largest x, largest y) until it holds all points. A work-item looks at
// `per_item` points, which lie as far apart as there are work-items.

// The least and the largest coordinates of the work-item's points.
int4 box_of_item(__global const int2 *points, int per_item)
{
    const int apart = get_global_size(0);
    const int2 first = points[get_global_id(0)];
    int4 own = (int4)(first, first);
    for (int i = 1; i < per_item; ++i) {
        const int2 point = points[get_global_id(0) + i * apart];
        own = (int4)(min(own.lo, point), max(own.hi, point));
    }
    return own;
}

// Every work-item widens the box.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bounding_box_global(__global const int2 *points, __global int *box, int per_item)
{
    const int4 own = box_of_item(points, per_item);
    atomic_min(&box[0], own.x);
    atomic_min(&box[1], own.y);
    atomic_max(&box[2], own.z);
    atomic_max(&box[3], own.w);
}

// The work-group has a box of its own in local memory, and widens the global one at the end.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bounding_box_local(__global const int2 *points, __global int *box, int per_item)
{
    __local int groups[4];
    const int item = get_local_id(0);
    if (item < 4)
        groups[item] = item < 2 ? INT_MAX : INT_MIN;
    barrier(CLK_LOCAL_MEM_FENCE);

    const int4 own = box_of_item(points, per_item);
    atomic_min(&groups[0], own.x);
    atomic_min(&groups[1], own.y);
    atomic_max(&groups[2], own.z);
    atomic_max(&groups[3], own.w);
    barrier(CLK_LOCAL_MEM_FENCE);

    if (item < 2)
        atomic_min(&box[item], groups[item]);
    else if (item < 4)
        atomic_max(&box[item], groups[item]);
}
