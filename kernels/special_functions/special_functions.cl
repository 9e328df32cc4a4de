// Four mixtures of elementary and special functions of each x, which is between 0.1 and 4: powers,
// circular functions, hyperbolic ones, and those of statistics.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void special_functions(__global const float *x, __global float4 *values)
{
    const int i = get_global_id(0);
    const float v = x[i];
    values[i] = (float4)(pow(v, 1.7f) + cbrt(v) + rsqrt(v),
                         sin(v) * cos(2.0f * v) + atan2(v, 1.5f),
                         tanh(v) + log1p(v) * asinh(v),
                         erf(v) + lgamma(v + 1.0f) + exp2(-v));
}
