// sums[l] = Σ_t signal[t] · signal[t + l] over the first `samples` numbers, a multiple of GROUP. A
// work-item has a lag.

// Both numbers are read from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void autocorrelation_global(__global const float *signal, __global float *sums, int samples)
{
    const int lag = get_global_id(0);
    float sum = 0.0f;
    for (int t = 0; t < samples; ++t)
        sum += signal[t] * signal[t + lag];
    sums[lag] = sum;
}

// The work-group brings GROUP numbers, and the 2 · GROUP that they meet, to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void autocorrelation_local(__global const float *signal, __global float *sums, int samples)
{
    __local float early[GROUP], late[2 * GROUP];
    const int item = get_local_id(0);
    const int lag = get_global_id(0);

    float sum = 0.0f;
    for (int start = 0; start < samples; start += GROUP) {
        early[item] = signal[start + item];
        late[item] = signal[start + lag];
        if (item < GROUP - 1) // the last is not needed, and beyond the end for the last work-group
            late[item + GROUP] = signal[start + lag + GROUP];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int t = 0; t < GROUP; ++t)
            sum += early[t] * late[t + item];
        barrier(CLK_LOCAL_MEM_FENCE); // all have used them
    }
    sums[lag] = sum;
}
