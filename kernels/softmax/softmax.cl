// shares[r][c] = exp(scores[r][c]) / Σ_c exp(scores[r][c]), with the row's largest score taken off all
// first, so that no exponential overflows.

// A work-item has a row, which it reads three times: neighbours are a row apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void softmax_global(__global const float *scores, __global float *shares, int columns)
{
    const int row = get_global_id(0) * columns;

    float largest = scores[row];
    for (int c = 1; c < columns; ++c)
        largest = fmax(largest, scores[row + c]);
    float sum = 0.0f;
    for (int c = 0; c < columns; ++c)
        sum += exp(scores[row + c] - largest);
    for (int c = 0; c < columns; ++c)
        shares[row + c] = exp(scores[row + c] - largest) / sum;
}

// A work-group has a row; its work-items meet in local memory, once for the largest score, once for the sum.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void softmax_local(__global const float *scores, __global float *shares, int columns)
{
    __local float partial[GROUP];
    const int item = get_local_id(0);
    const int row = get_group_id(0) * columns;

    float largest = -INFINITY;
    for (int c = item; c < columns; c += GROUP)
        largest = fmax(largest, scores[row + c]);
    partial[item] = largest;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] = fmax(partial[item], partial[item + half_way]);
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the largest score is there
    largest = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE); // all have read it

    float sum = 0.0f;
    for (int c = item; c < columns; c += GROUP)
        sum += exp(scores[row + c] - largest);
    partial[item] = sum;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    barrier(CLK_LOCAL_MEM_FENCE); // the sum is there
    sum = partial[0];
    for (int c = item; c < columns; c += GROUP)
        shares[row + c] = exp(scores[row + c] - largest) / sum;
}
