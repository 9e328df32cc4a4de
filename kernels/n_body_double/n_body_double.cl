// How n bodies, each (x, y, z, mass), accelerate each other by gravity, in double precision; the
// gravitational constant is 1. n is a multiple of GROUP; a work-item has one body.

#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define SOFTENING_SQUARED 0.01 // keeps close encounters, and a body's pull on itself, finite

// The acceleration of a body towards another one.
double4 pull(double4 body, double4 other)
{
    double4 apart = other - body;
    apart.w = 0.0;
    const double inverse = 1.0 / sqrt(dot(apart, apart) + SOFTENING_SQUARED);
    return apart * (other.w * inverse * inverse * inverse);
}

// Every work-item reads all bodies from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void n_body_double_global(__global const double4 *bodies, __global double4 *accelerations)
{
    const int body = get_global_id(0);
    const int n = get_global_size(0);
    const double4 here = bodies[body];

    double4 acceleration = 0.0;
    for (int other = 0; other < n; ++other)
        acceleration += pull(here, bodies[other]);
    accelerations[body] = acceleration;
}

// The work-group brings GROUP bodies at a time to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void n_body_double_local(__global const double4 *bodies, __global double4 *accelerations)
{
    __local double4 others[GROUP];
    const int item = get_local_id(0);
    const int body = get_global_id(0);
    const int n = get_global_size(0);
    const double4 here = bodies[body];

    double4 acceleration = 0.0;
    for (int start = 0; start < n; start += GROUP) {
        others[item] = bodies[start + item];
        barrier(CLK_LOCAL_MEM_FENCE); // the bodies are there
        for (int other = 0; other < GROUP; ++other)
            acceleration += pull(here, others[other]);
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads them any more
    }
    accelerations[body] = acceleration;
}
