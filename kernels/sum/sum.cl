// sums[c] = the sum of the values of chunk c, CHUNK in a row.

// A work-item adds a chunk: neighbours read CHUNK apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sum_global(__global const float *values, __global float *sums)
{
    const int chunk = get_global_id(0);

    float sum = 0.0f;
    for (int i = 0; i < CHUNK; ++i)
        sum += values[chunk * CHUNK + i];
    sums[chunk] = sum;
}

// A work-group adds a chunk: neighbours read side by side, and meet in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void sum_local(__global const float *values, __global float *sums)
{
    __local float partial[GROUP];
    const int item = get_local_id(0);
    const int chunk = get_group_id(0);

    float sum = 0.0f;
    for (int i = item; i < CHUNK; i += GROUP)
        sum += values[chunk * CHUNK + i];
    partial[item] = sum;

    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    if (item == 0)
        sums[chunk] = partial[0];
}
