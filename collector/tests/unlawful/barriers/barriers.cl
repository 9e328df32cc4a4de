// Sound: at these sizes every work-item goes on, and the loop runs equally often for all.
__kernel void guarded(__global const float *in, __global float *out, int n)
{
    __local float row[16];
    const int x = get_global_id(0), l = get_local_id(0);
    if (x >= n)
        return;
    row[l] = in[x];
    for (int width = 8; width > 0; width /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < width)
            row[l] += row[l + width];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = row[0];
}

__kernel void some(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0);
    out[x] = in[x];
    if (get_local_id(0) < 5)
        barrier(CLK_LOCAL_MEM_FENCE);
}

// Only the last work-group's work-items differ.
__kernel void last(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0);
    out[x] = in[x];
    if (x >= n - 1)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
}

__kernel void often(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0);
    for (int pass = 0; pass < (int)get_local_id(0); pass++)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = in[x];
}

// It depends on data: nobody can tell.
__kernel void data(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0);
    out[x] = in[x];
    if (in[x] >= 0)
        barrier(CLK_LOCAL_MEM_FENCE);
}

int odd(int a);

int even(int a)
{
    return a == 0 ? 1 : odd(a - 1);
}

int odd(int a)
{
    return a == 0 ? 0 : even(a - 1);
}

// A compiler makes a loop of it.
__kernel void turns(__global const float *in, __global float *out, int n)
{
    const int x = get_global_id(0);
    out[x] = in[x] + even(x);
}
