__attribute__((noinline)) float twice(float a) { return 2.0f * a; }

__kernel void calls(__global const float *a, __global float *b)
{
    int i = get_global_id(0);
    float2 pair = (float2)(a[i], 1.0f);
    pair = pair * pair + pair;
    b[i] = a[i] * a[i] + twice(a[i]) + max(a[i], 0.5f) + max(pair, (float2)(0.25f)).x;
}
