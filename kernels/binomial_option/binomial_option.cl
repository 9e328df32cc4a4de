// The price of European call options by the binomial tree of Cox, Ross and Rubinstein (1979); after
// the SDK programs BinomialOption (AMD) and BinomialOptions (NVIDIA). A work-group has one option and
// steps + 1 work-items, one for each of the tree's leaves.

#define RATE 0.02f       // riskless, per year, continuously compounded
#define VOLATILITY 0.30f // per √year

// What one step back through the tree needs.
typedef struct {
    float log_up;  // ln of the factor of an upward move; a downward one undoes it
    float up;      // discounted risk-neutral probability of an upward move
    float down;    // the same for a downward one
} tree;

tree plant(float years, int steps)
{
    const float step = years / steps;
    const float discount = exp(-RATE * step);
    tree t;
    t.log_up = VOLATILITY * sqrt(step);
    const float factor = exp(t.log_up);
    t.up = (1.0f - discount / factor) / (factor - 1.0f / factor);
    t.down = discount - t.up;
    return t;
}

// The pay-off at expiry after `ups` upward moves.
float leaf(tree t, float spot, float strike, int ups, int steps)
{
    return fmax(spot * exp(t.log_up * (2 * ups - steps)) - strike, 0.0f);
}

// The tree's current level and the next one lie in global memory: steps + 1 leaves and steps
// nodes before them, an option.
__kernel void binomial_option_global(__global const float *spots, __global const float *strikes,
                                     __global const float *years, __global float *prices, int steps,
                                     __global float *scratch)
{
    const int option = get_group_id(0);
    const int node = get_local_id(0);
    const tree t = plant(years[option], steps);
    __global float *now = scratch + option * (2 * steps + 1);
    __global float *earlier = now + steps + 1;

    now[node] = leaf(t, spots[option], strikes[option], node, steps);
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (int level = steps; level > 0; --level) {
        if (node < level)
            earlier[node] = t.up * now[node + 1] + t.down * now[node];
        barrier(CLK_GLOBAL_MEM_FENCE);
        __global float *swap = now;
        now = earlier;
        earlier = swap;
    }
    if (node == 0)
        prices[option] = now[0];
}

// The two levels lie in local memory.
__kernel void binomial_option_local(__global const float *spots, __global const float *strikes,
                                    __global const float *years, __global float *prices, int steps,
                                    __local float *levels)
{
    const int option = get_group_id(0);
    const int node = get_local_id(0);
    const tree t = plant(years[option], steps);
    __local float *now = levels;
    __local float *earlier = now + steps + 1;

    now[node] = leaf(t, spots[option], strikes[option], node, steps);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int level = steps; level > 0; --level) {
        if (node < level)
            earlier[node] = t.up * now[node + 1] + t.down * now[node];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local float *swap = now;
        now = earlier;
        earlier = swap;
    }
    if (node == 0)
        prices[option] = now[0];
}
