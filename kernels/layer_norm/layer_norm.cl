// Every row is moved to mean 0 and scaled to variance 1, then scaled and moved by column, as layers of
// neural networks are normalised (Ba, Kiros and Hinton, 2016).

#define LEAST_VARIANCE 1e-5f

// A work-item has a row, which it reads three times: neighbours are a row apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void layer_norm_global(__global const float *inputs, __global const float *gains,
                       __global const float *biases, __global float *outputs, int columns)
{
    const int row = get_global_id(0) * columns;

    float sum = 0.0f;
    for (int c = 0; c < columns; ++c)
        sum += inputs[row + c];
    const float mean = sum / columns;
    float squares = 0.0f;
    for (int c = 0; c < columns; ++c)
        squares += (inputs[row + c] - mean) * (inputs[row + c] - mean);
    const float scale = rsqrt(squares / columns + LEAST_VARIANCE);
    for (int c = 0; c < columns; ++c)
        outputs[row + c] = (inputs[row + c] - mean) * scale * gains[c] + biases[c];
}

// The sum of all work-items' numbers, for each of them.
float sum_of_group(float number, __local float *partial)
{
    const int item = get_local_id(0);
    partial[item] = number;
    for (int half_way = GROUP / 2; half_way > 0; half_way /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE); // the last level is complete
        if (item < half_way)
            partial[item] += partial[item + half_way];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const float sum = partial[0];
    barrier(CLK_LOCAL_MEM_FENCE); // all have read it
    return sum;
}

// A work-group has a row; its work-items meet in local memory, once for the mean, once for the variance.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void layer_norm_local(__global const float *inputs, __global const float *gains,
                      __global const float *biases, __global float *outputs, int columns)
{
    __local float partial[GROUP];
    const int item = get_local_id(0);
    const int row = get_group_id(0) * columns;

    float sum = 0.0f;
    for (int c = item; c < columns; c += GROUP)
        sum += inputs[row + c];
    const float mean = sum_of_group(sum, partial) / columns;
    float squares = 0.0f;
    for (int c = item; c < columns; c += GROUP)
        squares += (inputs[row + c] - mean) * (inputs[row + c] - mean);
    const float scale = rsqrt(sum_of_group(squares, partial) / columns + LEAST_VARIANCE);
    for (int c = item; c < columns; c += GROUP)
        outputs[row + c] = (inputs[row + c] - mean) * scale * gains[c] + biases[c];
}
