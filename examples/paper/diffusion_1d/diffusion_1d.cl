// One step of diffusion along a line whose ends stay: each inner point moves towards its two neighbours.
__kernel void diffusion_1d(__global const float *now, __global float *next, float rate, int n)
{
    const int i = get_global_id(0);
    if (i > 0 && i < n - 1)
        next[i] = now[i] + rate * (now[i - 1] - 2.0f * now[i] + now[i + 1]);
}
