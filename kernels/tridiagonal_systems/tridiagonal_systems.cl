// Solves many systems of n equations, each between three neighbours, by elimination downwards and
// substitution upwards (Thomas, 1949). A work-item has a system; the same equation of neighbours' systems
// lies side by side.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tridiagonal_systems(__global const float *below, __global const float *diagonal,
                         __global const float *above, __global const float *right,
                         __global float *solutions, __global float *ratios, int n)
{
    const int systems = get_global_size(0);
    int at = get_global_id(0);

    float ratio = above[at] / diagonal[at];
    float number = right[at] / diagonal[at];
    ratios[at] = ratio;
    solutions[at] = number;
    for (int row = 1; row < n; ++row) {
        at += systems;
        const float pivot = diagonal[at] - below[at] * ratio;
        ratio = above[at] / pivot;
        number = (right[at] - below[at] * number) / pivot;
        ratios[at] = ratio;
        solutions[at] = number;
    }
    for (int row = n - 2; row >= 0; --row) {
        at -= systems;
        number = solutions[at] - ratios[at] * number;
        solutions[at] = number;
    }
}
