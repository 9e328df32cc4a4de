__kernel void plain(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = a[get_global_id(0)];
}

__kernel void faulty(__global const int *a, __global int *b)
{
    volatile __global int *nowhere = (volatile __global int *)(size_t)(a[0]);
    *nowhere = 1;
    b[get_global_id(0)] = a[get_global_id(0)];
}
