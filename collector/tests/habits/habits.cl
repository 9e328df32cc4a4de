// Habits of programs, a function each: how devices' compilers have them decides what is counted.

__constant int SQUARES[8] = {0, 1, 4, 9, 16, 25, 36, 49};

// A table of the program, and an array that begins as one.
__kernel void tables(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int ends[4] = {3, 1, 2, 0};
    const int i = get_global_id(0);
    out[i] = in[i].x * SQUARES[i & 7] + ends[i & 3];
}

// A constant argument: read as global memory is.
__kernel void weighted(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    out[i] = in[i].x * weights[i & 15];
}

inline float halved(float x, int times)
{
    for (int t = 0; t < times; ++t)
        x = native_sin(x) * 0.5f + t;
    return x;
}

static float halved_here(float x, int times)
{
    for (int t = 0; t < times; ++t)
        x = native_sin(x) * 0.5f + t;
    return x;
}

// A function that is only `inline` has its body all the same.
__kernel void inlined(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    out[i] = halved(in[i].x, 1000);
}

__kernel void put_in_place(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    out[i] = halved_here(in[i].x, 1000);
}

// Sums of a tile, which are kept in registers.
__kernel void registers(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    float sums[4][4] = {{0.0f}};
    for (int k = 0; k < 16; ++k)
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c)
                sums[r][c] += in[i].x * (k + r * c);
    float all = 0.0f;
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c)
            all += sums[r][c];
    out[i] = all;
}

static void mix(uint *words, uint4 by)
{
    #pragma unroll
    for (int t = 0; t < 64; ++t) {
        words[t & 15] = rotate(words[(t + 13) & 15] ^ words[(t + 8) & 15] + words[t & 15], 7u);
        by = (by.yzwx ^ words[t & 15]) * 2654435761u;
    }
    words[0] += by.x;
}

// A long function for an array of the caller's, called often: put in place each time, the array in registers.
__kernel void called(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    uint words[16];
    for (int t = 0; t < 4; ++t)
        vstore4(as_uint4(in[i]) + t, t, words);
    mix(words, (uint4)(1, 2, 3, 4));
    mix(words, (uint4)(5, 6, 7, 8));
    mix(words, as_uint4(in[i]));
    out[i] = words[0];
}

// A vector's components: loaded at once.
__kernel void components(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    const float4 p = in[i];
    out[i] = p.x + p.y * p.z - p.w;
}

// Vectors of which only the elements are aligned: loaded one after the other.
__kernel void unaligned(__global const float *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    const float4 p = vload4(i, in);
    out[i] = p.x + p.y * p.z - p.w;
}

// Local memory is not global memory: what is stored last is all that is stored.
__kernel void apart(__global const float4 *in, __constant float *weights, __global float *out)
{
    __local float part[128];
    const int l = get_local_id(0), i = get_global_id(0);
    part[l] = in[i].x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = 0.0f;
    for (int k = 0; k < 128; ++k)
        out[i] += part[k];
}

// One lane goes to memory for all of a warp.
__kernel void pushed(__global const float4 *in, __constant float *weights, __global float *out)
{
    __local int count;
    __local float list[128];
    const int l = get_local_id(0), i = get_global_id(0);
    if (l == 0)
        count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    list[atomic_inc(&count)] = in[i].x;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = list[l];
}

// The bits of a number.
typedef union {
    float real;
    uint bits;
    struct {
        ushort low, high;
    };
} number;

__kernel void bits(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    number one;
    one.real = in[i].x;
    one.low &= 0xff00;
    out[i] = one.real + (one.bits & 1);
}

// What a device has: its version, and extensions.
__kernel void versions(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
#if __OPENCL_VERSION__ != 120 || !defined(cl_khr_fp64) || defined(cl_intel_subgroups)
    out[i] = in[i].x + in[i + 1].x;
#else
    out[i] = in[i].x;
#endif
}

float elsewhere(float x);

// Nobody knows what it calls.
__kernel void unknown(__global const float4 *in, __constant float *weights, __global float *out)
{
    const int i = get_global_id(0);
    out[i] = elsewhere(in[i].x);
}
