// The eigenvalues of many symmetric SIDE × SIDE matrices, ascending, by cyclic rotations after Jacobi
// (1846): each turns two rows and two columns such that the number where they meet becomes 0; a sweep
// does so once for every pair. A work-item has a matrix.

// The sine and cosine that turn `corner` to 0 between the diagonal numbers `first` and `second`.
float2 rotation(float first, float second, float corner)
{
    if (fabs(corner) < 1e-20f)
        return (float2)(0.0f, 1.0f);
    const float theta = (second - first) / (2.0f * corner);
    const float tangent = copysign(1.0f, theta) / (fabs(theta) + sqrt(theta * theta + 1.0f));
    const float cosine = rsqrt(tangent * tangent + 1.0f);
    return (float2)(tangent * cosine, cosine);
}

// Writes a matrix's eigenvalues, the least first.
void write_sorted(float *values, __global float *eigenvalues)
{
    for (int i = 1; i < SIDE; ++i) {
        const float value = values[i];
        int place = i;
        for (; place > 0 && values[place - 1] > value; --place)
            values[place] = values[place - 1];
        values[place] = value;
    }
    for (int i = 0; i < SIDE; ++i)
        eigenvalues[i] = values[i];
}

// The matrix lies in private memory. The loops go over all pairs, so that it can't stay in registers.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void jacobi_eigenvalues_global(__global const float *matrices, __global float *eigenvalues, int sweeps)
{
    const int matrix = get_global_id(0);

    float a[SIDE * SIDE];
    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j)
            a[i * SIDE + j] = matrices[matrix * SIDE * SIDE + min(i, j) * SIDE + max(i, j)];

    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int p = 0; p < SIDE - 1; ++p)
            for (int q = p + 1; q < SIDE; ++q) {
                const float2 turn = rotation(a[p * SIDE + p], a[q * SIDE + q], a[p * SIDE + q]);
                for (int k = 0; k < SIDE; ++k) {
                    const float x = a[k * SIDE + p], y = a[k * SIDE + q];
                    a[k * SIDE + p] = turn.y * x - turn.x * y;
                    a[k * SIDE + q] = turn.x * x + turn.y * y;
                }
                for (int k = 0; k < SIDE; ++k) {
                    const float x = a[p * SIDE + k], y = a[q * SIDE + k];
                    a[p * SIDE + k] = turn.y * x - turn.x * y;
                    a[q * SIDE + k] = turn.x * x + turn.y * y;
                }
            }

    float diagonal[SIDE];
    for (int i = 0; i < SIDE; ++i)
        diagonal[i] = a[i * SIDE + i];
    write_sorted(diagonal, eigenvalues + matrix * SIDE);
}

// The matrices lie in local memory; the same number of neighbours' matrices lies side by side.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void jacobi_eigenvalues_local(__global const float *matrices, __global float *eigenvalues, int sweeps)
{
    __local float all[SIDE * SIDE][GROUP];
    const int matrix = get_global_id(0);
    const int item = get_local_id(0);

    for (int i = 0; i < SIDE; ++i)
        for (int j = 0; j < SIDE; ++j)
            all[i * SIDE + j][item] = matrices[matrix * SIDE * SIDE + min(i, j) * SIDE + max(i, j)];

    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (int p = 0; p < SIDE - 1; ++p)
            for (int q = p + 1; q < SIDE; ++q) {
                const float2 turn =
                    rotation(all[p * SIDE + p][item], all[q * SIDE + q][item], all[p * SIDE + q][item]);
                for (int k = 0; k < SIDE; ++k) {
                    const float x = all[k * SIDE + p][item], y = all[k * SIDE + q][item];
                    all[k * SIDE + p][item] = turn.y * x - turn.x * y;
                    all[k * SIDE + q][item] = turn.x * x + turn.y * y;
                }
                for (int k = 0; k < SIDE; ++k) {
                    const float x = all[p * SIDE + k][item], y = all[q * SIDE + k][item];
                    all[p * SIDE + k][item] = turn.y * x - turn.x * y;
                    all[q * SIDE + k][item] = turn.x * x + turn.y * y;
                }
            }

    float diagonal[SIDE];
    for (int i = 0; i < SIDE; ++i)
        diagonal[i] = all[i * SIDE + i][item];
    write_sorted(diagonal, eigenvalues + matrix * SIDE);
}
