__kernel void plain(__global const int *a, __global float *b)
{
    int i = get_global_id(0);
    b[i] = i == 7 ? NAN : a[i];
}
