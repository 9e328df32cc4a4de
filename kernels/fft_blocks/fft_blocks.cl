// The discrete Fourier transform of every block of 4 · GROUP = 256 complex numbers, by Stockham's method
// in four stages of radix 4 (Govindaraju et al., SC 2008). A work-group has one block; between the
// stages its work-items exchange what they have.

#define BLOCK (4 * GROUP)

float2 times(float2 a, float2 b)
{
    return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

float2 turn(float angle)
{
    return (float2)(cos(angle), sin(angle));
}

// Four numbers that are GROUP apart become four that are `done` apart.
void combine(float2 v[4], int item, int done)
{
    const float angle = -0.5f * M_PI_F * (item % done) / done;
    const float2 b = times(v[1], turn(angle));
    const float2 c = times(v[2], turn(2.0f * angle));
    const float2 d = times(v[3], turn(3.0f * angle));

    const float2 even = v[0] + c, odd = v[0] - c, both = b + d;
    const float2 turned = (float2)(b.y - d.y, d.x - b.x); // −i (b − d)
    v[0] = even + both;
    v[1] = odd + turned;
    v[2] = even - both;
    v[3] = odd - turned;
}

// Where the first of the four goes.
int place(int item, int done)
{
    return (item - item % done) * 4 + item % done;
}

// They exchange through scratch and spectra in global memory, in turns, and end in spectra.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_blocks_global(__global const float2 *samples, __global float2 *spectra, __global float2 *scratch)
{
    const int item = get_local_id(0);
    const int start = get_group_id(0) * BLOCK;
    __global const float2 *from = samples + start;
    __global float2 *to = scratch + start;
    __global float2 *next = spectra + start;

    for (int done = 1; done < BLOCK; done *= 4) {
        float2 v[4] = {from[item], from[item + GROUP], from[item + 2 * GROUP], from[item + 3 * GROUP]};
        combine(v, item, done);
        for (int r = 0; r < 4; ++r)
            to[place(item, done) + r * done] = v[r];
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global float2 *filled = to;
        from = filled;
        to = next;
        next = filled;
    }
}

// They exchange through local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fft_blocks_local(__global const float2 *samples, __global float2 *spectra)
{
    __local float2 block[BLOCK];
    const int item = get_local_id(0);
    const int start = get_group_id(0) * BLOCK;

    float2 v[4]; // stays in registers: every loop over it is unrolled
    #pragma unroll
    for (int r = 0; r < 4; ++r)
        v[r] = samples[start + item + r * GROUP];
    for (int done = 1; done < GROUP; done *= 4) {
        combine(v, item, done);
        #pragma unroll
        for (int r = 0; r < 4; ++r)
            block[place(item, done) + r * done] = v[r];
        barrier(CLK_LOCAL_MEM_FENCE); // the stage is complete
        #pragma unroll
        for (int r = 0; r < 4; ++r)
            v[r] = block[item + r * GROUP];
        barrier(CLK_LOCAL_MEM_FENCE); // all have read it
    }
    combine(v, item, GROUP);
    #pragma unroll
    for (int r = 0; r < 4; ++r)
        spectra[start + item + r * GROUP] = v[r];
}
