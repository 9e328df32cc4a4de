__kernel void faulty(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = undeclared;
}
