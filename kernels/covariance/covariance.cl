// matrix[i][j] = Σ_s (samples[s][i] − means[i]) · (samples[s][j] − means[j]) / (number − 1): how the
// variables vary together. A work-item has a variable: it makes its row from the diagonal on, and writes
// every number to the mirrored place too. So the first ones have much to do, and the last one next to
// nothing.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void covariance(__global const float *samples, __global const float *means, __global float *matrix,
                int number)
{
    const int i = get_global_id(0);
    const int variables = get_global_size(0);

    for (int j = i; j < variables; ++j) {
        float sum = 0.0f;
        for (int s = 0; s < number; ++s)
            sum += (samples[s * variables + i] - means[i]) * (samples[s * variables + j] - means[j]);
        sum /= number - 1;
        matrix[i * variables + j] = sum;
        matrix[j * variables + i] = sum;
    }
}
