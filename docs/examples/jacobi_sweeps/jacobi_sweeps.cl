// Sweeps over an n × n grid: each inner point becomes the mean of its four neighbours' previous values.

void point(__global const float *before, __global float *after, int n, int x, int y)
{
    const int i = y * n + x;
    const bool inside = x > 0 && y > 0 && x < n - 1 && y < n - 1;
    after[i] = inside ? 0.25f * ((before[i - 1] + before[i + 1]) + (before[i - n] + before[i + n])) : before[i];
}

__kernel void sweep(__global const float *before, __global float *after, int n)
{
    point(before, after, n, get_global_id(0), get_global_id(1));
}

// One work-item does the work of the other variant's launches.
__kernel void all_sweeps(__global float *u, __global float *next, int n, int sweeps)
{
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int i = 0; i < n * n; i++)
            if (sweep % 2 == 0)
                point(u, next, n, i % n, i / n);
            else
                point(next, u, n, i % n, i / n);
}
