__kernel void endless(__global const volatile int *a, __global int *b)
{
    while (a[0] == 0) {
    }
    b[get_global_id(0)] = a[get_global_id(0)];
}

__kernel void copy(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = a[get_global_id(0)];
}
