// places[s] = where segment s's largest value is, the first of equal ones. Segments are as long as they
// are: most are short, and some are long.

// A work-item has a segment: neighbours wait for the longest.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void segment_argmax_global(__global const int *starts, __global const int *values, __global int *places)
{
    const int segment = get_global_id(0);
    const int end = starts[segment + 1];

    int place = starts[segment];
    int largest = values[place];
    for (int i = place + 1; i < end; ++i)
        if (values[i] > largest) {
            largest = values[i];
            place = i;
        }
    places[segment] = place;
}

// A work-group has a segment; its work-items meet in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void segment_argmax_local(__global const int *starts, __global const int *values, __global int *places)
{
    __local int2 best[GROUP]; // value and place
    const int item = get_local_id(0);
    const int segment = get_group_id(0);
    const int end = starts[segment + 1];

    int2 own = (int2)(INT_MIN, INT_MAX);
    for (int i = starts[segment] + item; i < end; i += GROUP)
        if (values[i] > own.x)
            own = (int2)(values[i], i);
    best[item] = own;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way) {
            const int2 other = best[item + half_way];
            if (other.x > own.x || (other.x == own.x && other.y < own.y))
                own = other;
            best[item] = own;
        }
    }
    if (item == 0)
        places[segment] = own.y;
}
