// The sums of a row-major matrix's columns; what a sum loses by rounding is carried on (Kahan, 1965), so
// that every number waits for four additions. A work-item has a column.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void compensated_sum(__global const float *matrix, __global float *sums, int rows)
{
    const int column = get_global_id(0);
    const int columns = get_global_size(0);

    float sum = 0.0f, lost = 0.0f;
    for (int row = 0; row < rows; ++row) {
        const float number = matrix[row * columns + column] - lost;
        const float next = sum + number;
        lost = (next - sum) - number;
        sum = next;
    }
    sums[column] = sum;
}
