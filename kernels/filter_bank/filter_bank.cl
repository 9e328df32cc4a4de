// bands[b][i] = Σ_t taps[b][t] · signal[DECIMATION · i + t], rounded and saturated to 16 bits: a bank of BANDS
// filters with TAPS weights each, of whose output every DECIMATION-th sample is kept. A work-item makes one
// sample of every band.

#define BANDS 8
#define TAPS 32
#define DECIMATION 4
#define SHIFT 11
#define WINDOW (DECIMATION * GROUP + TAPS - DECIMATION)

#define FOR_BANDS(b) for (int b = 0; b < BANDS; ++b)
#define ROUNDED(sum) (((sum) + (1 << (SHIFT - 1))) >> SHIFT)

// Adds up the taps over samples from `first` on, in either memory.
#define FILTER(first)                                                    \
    for (int t = 0; t < TAPS; ++t) {                                     \
        const int sample = (first)[t];                                   \
        _Pragma("unroll") FOR_BANDS(b)                                   \
            sums[b] = mad24(sample, (int)taps[b * TAPS + t], sums[b]);   \
    }

inline void store(const int *sums, __global short *bands, int i, int samples)
{
    #pragma unroll
    FOR_BANDS(b)
        bands[b * samples + i] = convert_short_sat(ROUNDED(sums[b]));
}

// Samples are read from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void filter_bank_global(__global const short *signal, __constant short *taps, __global short *bands, int samples)
{
    const int i = get_global_id(0);
    if (i >= samples)
        return;
    int sums[BANDS] = {0};
    __global const short *first = signal + DECIMATION * i;
    FILTER(first)
    store(sums, bands, i, samples);
}

// The work-group's samples are in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void filter_bank_local(__global const short *signal, __constant short *taps, __global short *bands, int samples,
                       __local short *window)
{
    const int i = get_global_id(0), item = get_local_id(0);
    const int start = get_group_id(0) * GROUP * DECIMATION;
    const int left = min(WINDOW, DECIMATION * samples + TAPS - DECIMATION - start);
    for (int k = item; k < left; k += GROUP)
        window[k] = signal[start + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= samples)
        return;
    int sums[BANDS] = {0};
    __local const short *first = window + DECIMATION * item;
    FILTER(first)
    store(sums, bands, i, samples);
}
