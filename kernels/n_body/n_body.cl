// One time step of n bodies that attract each other; after NVIDIA's and AMD's SDK program NBody.
// A body's position is (x, y, z, mass), its velocity (x, y, z, unused), the gravitational constant 1.
// n is a multiple of GROUP; a work-item moves one body.

#define TIME_STEP 0.005f
#define SOFTENING_SQUARED 0.01f // keeps close encounters, and a body's pull on itself, finite

// The acceleration of a body towards another one.
float4 pull(float4 body, float4 other)
{
    float4 apart = other - body;
    apart.w = 0.0f;
    const float inverse = rsqrt(dot(apart, apart) + SOFTENING_SQUARED);
    return apart * (other.w * inverse * inverse * inverse);
}

// Where the acceleration takes the body; its mass, in w, stays.
void move(float4 position, float4 velocity, float4 acceleration,
          __global float4 *new_position, __global float4 *new_velocity)
{
    *new_position = position + velocity * (float4)(TIME_STEP, TIME_STEP, TIME_STEP, 0.0f)
                  + acceleration * (0.5f * TIME_STEP * TIME_STEP);
    *new_velocity = velocity + acceleration * TIME_STEP;
}

// Every work-item reads all bodies from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void n_body_global(__global const float4 *positions, __global const float4 *velocities,
                   __global float4 *new_positions, __global float4 *new_velocities, int n)
{
    const int body = get_global_id(0);
    const float4 position = positions[body];

    float4 acceleration = 0.0f;
    for (int other = 0; other < n; ++other)
        acceleration += pull(position, positions[other]);
    move(position, velocities[body], acceleration, new_positions + body, new_velocities + body);
}

// The work-group brings GROUP bodies at a time to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void n_body_local(__global const float4 *positions, __global const float4 *velocities,
                  __global float4 *new_positions, __global float4 *new_velocities, int n)
{
    __local float4 others[GROUP];
    const int item = get_local_id(0);
    const int body = get_global_id(0);
    const float4 position = positions[body];

    float4 acceleration = 0.0f;
    for (int start = 0; start < n; start += GROUP) {
        others[item] = positions[start + item];
        barrier(CLK_LOCAL_MEM_FENCE); // the bodies are there
        for (int other = 0; other < GROUP; ++other)
            acceleration += pull(position, others[other]);
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads them any more
    }
    move(position, velocities[body], acceleration, new_positions + body, new_velocities + body);
}
