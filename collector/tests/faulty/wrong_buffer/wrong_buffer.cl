__kernel void plain(__global const double *a, __global int *b)
{
    b[get_global_id(0)] = convert_int(a[get_global_id(0)]);
}
