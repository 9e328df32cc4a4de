// Solves systems of GROUP equations x · left + (y + SHIFT) · middle + z · right = w, each between three
// neighbours (Hockney and Jesshope, 1981): in the step of reach 1, 2, 4 … every equation is rid of the
// unknowns that far from its own, and gets those twice as far, until none is left. A work-group has a
// system, a work-item an equation.

#define SHIFT 4.0f

// An equation rid of its two neighbours' unknowns.
float4 reduced(float4 own, float4 left, float4 right)
{
    const float first = -own.x / left.y;
    const float second = -own.z / right.y;
    return (float4)(first * left.x, own.y + first * left.z + second * right.x, second * right.z,
                    own.w + first * left.w + second * right.w);
}

// Beyond the ends: an unknown that is 0.
#define NOTHING (float4)(0.0f, 1.0f, 0.0f, 0.0f)

// The equations go to and fro in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void cyclic_reduction_global(__global const float4 *equations, __global float *solutions,
                             __global float4 *scratch)
{
    const int item = get_local_id(0);
    __global float4 *now = scratch + get_group_id(0) * 2 * GROUP;
    __global float4 *next = now + GROUP;

    float4 own = equations[get_global_id(0)] + (float4)(0.0f, SHIFT, 0.0f, 0.0f);
    now[item] = own;
    for (int reach = 1; reach < GROUP; reach *= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the last step is complete
        own = reduced(own, item >= reach ? now[item - reach] : NOTHING,
                      item + reach < GROUP ? now[item + reach] : NOTHING);
        next[item] = own;
        __global float4 *swap = now;
        now = next;
        next = swap;
    }
    solutions[get_global_id(0)] = own.w / own.y;
}

// The equations go to and fro in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void cyclic_reduction_local(__global const float4 *equations, __global float *solutions)
{
    __local float4 halves[2][GROUP];
    const int item = get_local_id(0);
    int now = 0;

    float4 own = equations[get_global_id(0)] + (float4)(0.0f, SHIFT, 0.0f, 0.0f);
    halves[now][item] = own;
    for (int reach = 1; reach < GROUP; reach *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last step is complete
        own = reduced(own, item >= reach ? halves[now][item - reach] : NOTHING,
                      item + reach < GROUP ? halves[now][item + reach] : NOTHING);
        now = 1 - now;
        halves[now][item] = own;
    }
    solutions[get_global_id(0)] = own.w / own.y;
}
