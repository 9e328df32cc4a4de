// filtered[i] is the sum of nine taps times nine numbers, from signal[i] on.

// Tap by tap.
__kernel void filter_taps_reference(__global const float *signal, __global const float *taps, __global float *filtered,
                                    int n)
{
    for (int i = 0; i < n; i++)
        filtered[i] = 0;
    for (int k = 0; k < 9; k++)
        for (int i = 0; i < n; i++)
            filtered[i] += taps[k] * signal[i + k];
}

__kernel void filter_taps_parallel(__global const float *signal, __global const float *taps, __global float *filtered)
{
    const int i = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < 9; k++)
        sum = fma(taps[k], signal[i + k], sum);
    filtered[i] = sum;
}
