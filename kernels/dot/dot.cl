// sums[g] = the dot product of work-group g's part of x and y, GROUP · per_item numbers in a row. Its
// work-items add their shares one by one, then each other's, pair by pair, always in the same order.

// A work-item's share: every GROUP-th product of the part.
float share(__global const float *x, __global const float *y, int per_item)
{
    const int first = get_group_id(0) * GROUP * per_item + get_local_id(0);
    float sum = 0.0f;
    for (int k = 0; k < per_item; ++k)
        sum = fma(x[first + k * GROUP], y[first + k * GROUP], sum);
    return sum;
}

// The shares meet in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dot_global(__global const float *x, __global const float *y, __global float *sums, int per_item,
                __global float *scratch)
{
    const int item = get_local_id(0);
    __global float *partial = scratch + get_group_id(0) * GROUP;

    partial[item] = share(x, y, per_item);
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    if (item == 0)
        sums[get_group_id(0)] = partial[0];
}

// The shares meet in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dot_local(__global const float *x, __global const float *y, __global float *sums, int per_item)
{
    __local float partial[GROUP];
    const int item = get_local_id(0);

    partial[item] = share(x, y, per_item);
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    if (item == 0)
        sums[get_group_id(0)] = partial[0];
}
