// c[i][j][k] = Σ_p Σ_q a[p][i][q] · b[q][j][p][k] for indices from 0 to n − 1, n a multiple of 4: what a
// step of coupled clusters is made of. A work-item has a number of c.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tensor_contraction(__global const float *a, __global const float *b, __global float *c, int n)
{
    const int k = get_global_id(0) % n;
    const int j = get_global_id(0) / n % n;
    const int i = get_global_id(0) / n / n;

    float sum = 0.0f;
    for (int p = 0; p < n; ++p)
        for (int q = 0; q < n; ++q)
            sum += a[(p * n + i) * n + q] * b[((q * n + j) * n + p) * n + k];
    c[get_global_id(0)] = sum;
}
