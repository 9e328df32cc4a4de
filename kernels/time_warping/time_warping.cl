// distances[p] = how far series p is from pattern p, of PATTERN numbers, when either may stay while the
// other goes on (Sakoe and Chiba, 1978). A work-item has a pair, and keeps the pattern and a row of the
// table in private memory; the same number of neighbours' lies side by side.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void time_warping(__global const float *patterns, __global const float *series, __global float *distances,
                  int length)
{
    const int pair = get_global_id(0);
    const int pairs = get_global_size(0);

    float pattern[PATTERN], row[PATTERN];
    for (int j = 0; j < PATTERN; ++j) {
        pattern[j] = patterns[j * pairs + pair];
        row[j] = INFINITY;
    }
    float corner = 0.0f; // before both: the only place to begin
    for (int i = 0; i < length; ++i) {
        const float number = series[i * pairs + pair];
        float left = INFINITY;
        #pragma unroll 1
        for (int j = 0; j < PATTERN; ++j) {
            const float above = row[j];
            left = fabs(number - pattern[j]) + fmin(fmin(left, above), corner);
            row[j] = left;
            corner = above;
        }
        corner = INFINITY;
    }
    distances[pair] = row[PATTERN - 1];
}
