// The price of European call options: the discounted mean pay-off over `paths` random ends; after NVIDIA's
// SDK program MonteCarlo. A work-group has one option; each of its work-items draws every GROUP-th end.

#define RATE 0.02f       // riskless, per year, continuously compounded
#define VOLATILITY 0.30f // per √year

// Random bits without a state: mixes a number by the finaliser of Appleby's MurmurHash3.
uint mix_bits(uint x)
{
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

// A standard normal number by Box and Muller (1958), from 24 random bits for the radius and 24 for the
// angle; the radius's are never all zero.
float normal_number(uint draw)
{
    const float u = ((mix_bits(2 * draw + 1) >> 8) + 1) * 0x1p-24f;
    const float v = (mix_bits(2 * draw + 2) >> 8) * 0x1p-24f;
    return sqrt(-2.0f * log(u)) * cos(2.0f * M_PI_F * v);
}

// The sum of the work-item's pay-offs.
float pay_offs(float spot, float strike, float years, int paths)
{
    const float drift = (RATE - 0.5f * VOLATILITY * VOLATILITY) * years;
    const float deviation = VOLATILITY * sqrt(years);
    float sum = 0.0f;
    for (int path = get_local_id(0); path < paths; path += GROUP)
        sum += fmax(spot * exp(drift + deviation * normal_number(path)) - strike, 0.0f);
    return sum;
}

// The work-items' sums meet in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void monte_carlo_option_global(__global const float *spots, __global const float *strikes,
                               __global const float *years, __global float *prices, int paths,
                               __global float *scratch)
{
    const int item = get_local_id(0);
    const int option = get_group_id(0);
    __global float *partial = scratch + option * GROUP;

    partial[item] = pay_offs(spots[option], strikes[option], years[option], paths);
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_GLOBAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    if (item == 0)
        prices[option] = exp(-RATE * years[option]) * partial[0] / paths;
}

// The work-items' sums meet in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void monte_carlo_option_local(__global const float *spots, __global const float *strikes,
                              __global const float *years, __global float *prices, int paths)
{
    __local float partial[GROUP];
    const int item = get_local_id(0);
    const int option = get_group_id(0);

    partial[item] = pay_offs(spots[option], strikes[option], years[option], paths);
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    if (item == 0)
        prices[option] = exp(-RATE * years[option]) * partial[0] / paths;
}
