// Four mixtures of elementary and special functions of each x, which is between 0.1 and 4: powers,
// circular functions, hyperbolic ones, and those of statistics; all x's first ones, then their second ones …

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void special_functions(__global const float *x, __global float *values)
{
    const int i = get_global_id(0);
    const int n = get_global_size(0);
    const float v = x[i];
    values[i] = pow(v, 1.7f) + cbrt(v) + rsqrt(v);
    values[n + i] = sin(v) * cos(2.0f * v) + atan2(v, 1.5f);
    values[2 * n + i] = tanh(v) + log1p(v) * asinh(v);
    values[3 * n + i] = erf(v) + lgamma(v + 1.0f) + exp2(-v);
}
