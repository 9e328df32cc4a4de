__kernel void plain(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = a[get_global_id(0)];
}

__kernel void faulty(__global const volatile int *a, __global int *b)
{
    while (a[0] == 0) {
    }
    b[get_global_id(0)] = a[get_global_id(0)];
}
