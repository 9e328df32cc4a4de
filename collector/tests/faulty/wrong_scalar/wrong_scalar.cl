__kernel void plain(__global int *b, int factor)
{
    b[get_global_id(0)] = factor;
}
