// Finds numbers above 3/4, with their indices.

__kernel void select_in_order(__global const float *numbers, __global float2 *found, __global int *count, int n)
{
    int next = *count;
    for (int i = 0; i < n; i++)
        if (numbers[i] > 0.75f)
            found[next++] = (float2)(i, numbers[i]);
    *count = next;
}

// Starts from the last number, so that the order differs.
__kernel void select_backwards(__global const float *numbers, __global float2 *found, __global int *count)
{
    const int i = get_global_size(0) - 1 - get_global_id(0);
    if (numbers[i] > 0.75f)
        found[atomic_inc(count)] = (float2)(i, numbers[i]);
}
