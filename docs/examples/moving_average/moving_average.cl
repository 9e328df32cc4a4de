// average[i] is the mean of the 2 · RADIUS + 1 numbers around signal[i]; beyond the ends, the end values repeat.

// With a running sum.
__kernel void moving_average_reference(__global const float *signal, __global float *average, int n, float weight)
{
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
        sum += signal[clamp(k, 0, n - 1)];
    for (int i = 0; i < n; i++) {
        average[i] = sum * weight;
        sum += signal[min(i + RADIUS + 1, n - 1)] - signal[max(i - RADIUS, 0)];
    }
}

__kernel void moving_average_parallel(__global const float *signal, __global float *average, int n, float weight)
{
    const int i = get_global_id(0);
    if (i >= n)
        return;
    float sum = 0;
    for (int k = i - RADIUS; k <= i + RADIUS; k++)
        sum += signal[clamp(k, 0, n - 1)];
    average[i] = sum * weight;
}
