// Every vector v becomes v − (d · v) / (d · d) · d for a direction d: a step of the modified method of
// Gram and Schmidt. The vectors lie one after the other and are changed in place.

// A work-item has a vector: neighbours are a vector apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gram_schmidt_step_global(__global const float *direction, __global float *vectors, int length)
{
    __global float *vector = vectors + get_global_id(0) * length;

    float along = 0.0f, square = 0.0f;
    for (int k = 0; k < length; ++k) {
        along += direction[k] * vector[k];
        square += direction[k] * direction[k];
    }
    const float share = along / square;
    for (int k = 0; k < length; ++k)
        vector[k] -= share * direction[k];
}

// A work-group has a vector; its work-items meet in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void gram_schmidt_step_local(__global const float *direction, __global float *vectors, int length)
{
    __local float2 partial[GROUP]; // along the direction; the direction's square
    const int item = get_local_id(0);
    __global float *vector = vectors + get_group_id(0) * length;

    float2 sum = 0.0f;
    for (int k = item; k < length; k += GROUP)
        sum += direction[k] * (float2)(vector[k], direction[k]);
    partial[item] = sum;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float share = partial[0].x / partial[0].y;
    for (int k = item; k < length; k += GROUP)
        vector[k] -= share * direction[k];
}
