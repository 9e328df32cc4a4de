__kernel void plain(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = a[get_global_id(0)];
}
