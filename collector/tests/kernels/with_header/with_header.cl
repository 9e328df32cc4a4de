#include "factor.h"

__kernel void with_header(__global const int *a, __global int *b)
{
    b[get_global_id(0)] = FACTOR * a[get_global_id(0)];
}
