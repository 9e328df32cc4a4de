// Sound: the border is left out.
__kernel void guarded(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
        return;
    out[y * n + x] = in[(y - 1) * n + x - 1] + in[(y + 1) * n + x + 1];
}

__kernel void before(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    out[y * n + x] = in[(y - 1) * n + x];
}

// Only the last row goes on.
__kernel void after(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0;
    for (int c = 0; c <= n + 5; c++)
        sum += in[y * n + c];
    out[y * n + x] = sum;
}

__kernel void stores(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    out[(y + 1) * n + x] = in[y * n + x];
}

// Quasi-affine: gone through.
__kernel void wraps(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    out[y * n + x] = in[y % 8 * n + x + n * n];
}

__kernel void tile(__global const float *in, __global float *out, int n)
{
    __local float row[8];
    const int x = get_global_id(0), y = get_global_id(1), l = get_local_id(0);
    row[l + 1] = in[y * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * n + x] = row[l];
}

// It depends on data: nobody can tell.
__kernel void data(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (in[y * n + x] > 2)
        out[n * n + x] = 0;
    out[y * n + x] = in[(int)in[y * n + x] + n * n];
}
