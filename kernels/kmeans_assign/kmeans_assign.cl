// nearest[p] = which centre is nearest to point p, the first of equals. A work-item has one point.

// Every work-item reads all centres from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void kmeans_assign_global(__global const float *points, __global const float *centres, __global int *nearest,
                          int clusters, int features)
{
    const int point = get_global_id(0);
    const int count = get_global_size(0);

    int best = 0;
    float least = INFINITY;
    for (int c = 0; c < clusters; ++c) {
        float squared = 0.0f;
        for (int f = 0; f < features; ++f) {
            const float apart = points[f * count + point] - centres[c * features + f];
            squared = fma(apart, apart, squared);
        }
        if (squared < least) {
            least = squared;
            best = c;
        }
    }
    nearest[point] = best;
}

// The work-group brings the centres to local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void kmeans_assign_local(__global const float *points, __global const float *centres, __global int *nearest,
                         int clusters, int features, __local float *shared_centres)
{
    const int point = get_global_id(0);
    const int count = get_global_size(0);

    for (int i = get_local_id(0); i < clusters * features; i += GROUP)
        shared_centres[i] = centres[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    int best = 0;
    float least = INFINITY;
    for (int c = 0; c < clusters; ++c) {
        float squared = 0.0f;
        for (int f = 0; f < features; ++f) {
            const float apart = points[f * count + point] - shared_centres[c * features + f];
            squared = fma(apart, apart, squared);
        }
        if (squared < least) {
            least = squared;
            best = c;
        }
    }
    nearest[point] = best;
}
