__kernel void scale_global(__global const float4 *a, __global const uchar *bytes,
                           __global int *steps, __global float4 *b, float factor, int n)
{
    int i = get_global_id(0);
    b[i] = factor * a[i] + bytes[i];
    steps[i] += n;
    steps[i + n] += 1;
}

__kernel void scale_local(__global const float4 *a, __global const uchar *bytes,
                          __global int *steps, __global float4 *b, float factor, int n,
                          __local float4 *tile)
{
    int i = get_global_id(0), l = get_local_id(0);
    tile[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[i] = factor * tile[l] + bytes[i];
    steps[i] += n;
    steps[i + n] += 1;
}
