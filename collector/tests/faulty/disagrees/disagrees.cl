__kernel void plain(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = a[get_global_id(0)];
}

__kernel void faulty(__global const int *a, __global int *b)
{
    int i = get_global_id(0);
    b[i] = a[i] + (i == 40);
}
