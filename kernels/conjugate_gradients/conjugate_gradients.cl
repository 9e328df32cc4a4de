// The temperatures t of rods of GROUP cells: (2 + leak) · t − left t − right t = heat, with 0 beyond the
// ends, by so many steps of conjugate gradients (Hestenes and Stiefel, 1952) from t = 0. A work-group has
// a rod, a work-item a cell. A step exchanges the direction once and adds up twice.

// Exchanges and sums go through global memory.
float sum_in_global(float number, __global float *partial)
{
    const int item = get_local_id(0);
    partial[item] = number;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    const float sum = partial[0];
    barrier(CLK_GLOBAL_MEM_FENCE); // all have read it
    return sum;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void conjugate_gradients_global(__global const float *leaks, __global const float *heat,
                                __global float *temperatures, int steps, __global float *directions,
                                __global float *partial)
{
    const int item = get_local_id(0);
    const int cell = get_global_id(0);
    __global float *sums = partial + get_group_id(0) * GROUP;
    const float middle = 2.0f + leaks[cell];

    float t = 0.0f;
    float rest = heat[cell];
    float direction = rest;
    float square = sum_in_global(rest * rest, sums);
    for (int step = 0; step < steps; ++step) {
        directions[cell] = direction;
        barrier(CLK_GLOBAL_MEM_FENCE);
        const float left = item > 0 ? directions[cell - 1] : 0.0f;
        const float right = item < GROUP - 1 ? directions[cell + 1] : 0.0f;
        const float image = middle * direction - left - right;

        const float length = square / sum_in_global(direction * image, sums);
        t += length * direction;
        rest -= length * image;
        const float next = sum_in_global(rest * rest, sums);
        direction = rest + next / square * direction;
        square = next;
    }
    temperatures[cell] = t;
}

// Exchanges and sums go through local memory.
float sum_in_local(float number, __local float *partial)
{
    const int item = get_local_id(0);
    partial[item] = number;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float sum = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE); // all have read it
    return sum;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void conjugate_gradients_local(__global const float *leaks, __global const float *heat,
                               __global float *temperatures, int steps)
{
    __local float directions[GROUP], sums[GROUP];
    const int item = get_local_id(0);
    const int cell = get_global_id(0);
    const float middle = 2.0f + leaks[cell];

    float t = 0.0f;
    float rest = heat[cell];
    float direction = rest;
    float square = sum_in_local(rest * rest, sums);
    for (int step = 0; step < steps; ++step) {
        directions[item] = direction;
        barrier(CLK_LOCAL_MEM_FENCE);
        const float left = item > 0 ? directions[item - 1] : 0.0f;
        const float right = item < GROUP - 1 ? directions[item + 1] : 0.0f;
        const float image = middle * direction - left - right;

        const float length = square / sum_in_local(direction * image, sums);
        t += length * direction;
        rest -= length * image;
        const float next = sum_in_local(rest * rest, sums);
        direction = rest + next / square * direction;
        square = next;
    }
    temperatures[cell] = t;
}
