// One stage of Stockham's fast Fourier transform of n complex numbers with radix 4: out of n / done
// transforms of length `done`, interleaved, make a fourth as many of length 4 · done. After Govindaraju
// et al., SC 2008. A work-item makes four numbers.

float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

float2 turn(float angle)
{
    return (float2)(cos(angle), sin(angle));
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_stage(__global const float2 *samples, __global float2 *combined, int done)
{
    const int j = get_global_id(0);
    const int quarter = get_global_size(0);
    const int k = j % done;
    const float angle = -0.5f * M_PI_F * k / done;

    const float2 a = samples[j];
    const float2 b = times(samples[j + quarter], turn(angle));
    const float2 c = times(samples[j + 2 * quarter], turn(2.0f * angle));
    const float2 d = times(samples[j + 3 * quarter], turn(3.0f * angle));

    const float2 even = a + c, odd = a - c, both = b + d;
    const float2 turned = (float2)(b.y - d.y, d.x - b.x); // −i (b − d)
    const int first = (j - k) * 4 + k;
    combined[first] = even + both;
    combined[first + done] = odd + turned;
    combined[first + 2 * done] = even - both;
    combined[first + 3 * done] = odd - turned;
}
