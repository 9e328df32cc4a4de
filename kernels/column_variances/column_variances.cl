// The mean and the variance of each column of a row-major matrix, in one pass after Welford (1962): each
// number moves the mean by its share, so that every step waits for a division. The number of columns is a
// multiple of WIDTH.

typedef struct {
    float count, mean, squares; // squares: of the distances from the mean, added up
} moments;

moments with_number(moments m, float number)
{
    const float away = number - m.mean;
    m.count += 1.0f;
    m.mean += away / m.count;
    m.squares += away * (number - m.mean);
    return m;
}

// A work-item has a column.
__kernel __attribute__((reqd_work_group_size(WIDTH, 1, 1)))
void column_variances_global(__global const float *matrix, __global float *means, __global float *variances,
                             int rows)
{
    const int column = get_global_id(0);
    const int columns = get_global_size(0);

    moments m = {0.0f, 0.0f, 0.0f};
    for (int row = 0; row < rows; ++row)
        m = with_number(m, matrix[row * columns + column]);
    means[column] = m.mean;
    variances[column] = m.squares / m.count;
}

// SLICES work-items share a column; what they found is put together in local memory, after Chan, Golub
// and LeVeque (1979).
__kernel __attribute__((reqd_work_group_size(WIDTH, SLICES, 1)))
void column_variances_local(__global const float *matrix, __global float *means, __global float *variances,
                            int rows)
{
    __local moments found[SLICES][WIDTH];
    const int column = get_global_id(0);
    const int columns = get_global_size(0);
    const int item = get_local_id(0);
    const int slice = get_local_id(1);

    moments m = {0.0f, 0.0f, 0.0f};
    for (int row = slice; row < rows; row += SLICES)
        m = with_number(m, matrix[row * columns + column]);
    found[slice][item] = m;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (slice == 0) {
        for (int other = 1; other < SLICES; ++other) {
            const moments o = found[other][item];
            const float away = o.mean - m.mean;
            const float count = m.count + o.count;
            m.squares += o.squares + away * away * m.count * o.count / count;
            m.mean += away * o.count / count;
            m.count = count;
        }
        means[column] = m.mean;
        variances[column] = m.squares / m.count;
    }
}
