// Multiply-adds, each of which needs the one before: ends = the steps-th iterate of v → SLOPE · v + OFFSET.
// A work-item has a VECTOR (float, float2, … float16) of such chains, which don't need each other.

#define SLOPE (-0.9990234375f)
#define OFFSET 0.5f

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void fma_chain(__global const VECTOR *starts, __global VECTOR *ends, int steps)
{
    const int i = get_global_id(0);
    VECTOR v = starts[i];
    for (int step = 0; step < steps; ++step)
        v = fma(v, (VECTOR)SLOPE, (VECTOR)OFFSET);
    ends[i] = v;
}
