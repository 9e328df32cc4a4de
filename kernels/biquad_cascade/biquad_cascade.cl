// Sends signals through SECTIONS recursive filters of second order, one behind the other (transposed
// direct form II). A work-item has a channel, and every number waits for the one before; the same number
// of neighbours' lies side by side.

#define SECTIONS 4

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void biquad_cascade(__global const float *coefficients, __global const float *signals,
                    __global float *filtered, int samples)
{
    const int channels = get_global_size(0);

    float first[SECTIONS], second[SECTIONS]; // stay in registers: every loop over them is unrolled
    #pragma unroll
    for (int s = 0; s < SECTIONS; ++s)
        first[s] = second[s] = 0.0f;
    for (int i = get_global_id(0); i < samples * channels; i += channels) {
        float number = signals[i];
        #pragma unroll
        for (int s = 0; s < SECTIONS; ++s) {
            __global const float *c = coefficients + 5 * s;
            const float out = c[0] * number + first[s];
            first[s] = c[1] * number - c[3] * out + second[s];
            second[s] = c[2] * number - c[4] * out;
            number = out;
        }
        filtered[i] = number;
    }
}
