__kernel void plain(__global int *a, int b)
{
    a[get_global_id(0)] = b;
}
