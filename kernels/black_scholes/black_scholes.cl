// The prices of European call and put options by the formula of Black and Scholes (1973); after NVIDIA's
// and AMD's SDK program BlackScholes. A work-item has one option.

#define RATE 0.02f       // riskless, per year, continuously compounded
#define VOLATILITY 0.30f // per √year

// The normal distribution function.
float normal(float x)
{
    return 0.5f * erfc(-M_SQRT1_2_F * x);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void black_scholes(__global const float *spots, __global const float *strikes, __global const float *years,
                   __global float *calls, __global float *puts)
{
    const int option = get_global_id(0);
    const float spot = spots[option];
    const float deviation = VOLATILITY * sqrt(years[option]);
    const float d1 = (log(spot / strikes[option]) + RATE * years[option]) / deviation + 0.5f * deviation;
    const float d2 = d1 - deviation;
    const float discounted = strikes[option] * exp(-RATE * years[option]);

    calls[option] = spot * normal(d1) - discounted * normal(d2);
    puts[option] = discounted * normal(-d2) - spot * normal(-d1);
}
