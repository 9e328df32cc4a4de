// forecasts[s] = the mean, over complete trees of `depth` questions, of the leaf that sample s comes to.
// A node asks whether one feature exceeds a limit; its children are numbered 2 · node + 1 and + 2. A
// work-item has a sample; the same feature of neighbours lies side by side.

// Features are read where they lie.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void decision_forest_global(__global const float *samples, __global const int *asked,
                            __global const float *limits, __global const float *leaves,
                            __global float *forecasts, int trees, int depth, int features)
{
    const int sample = get_global_id(0);
    const int number = get_global_size(0);
    const int inner = (1 << depth) - 1;

    float sum = 0.0f;
    for (int tree = 0; tree < trees; ++tree) {
        int node = 0;
        while (node < inner) {
            const int at = tree * inner + node;
            node = 2 * node + 1 + (samples[asked[at] * number + sample] > limits[at]);
        }
        sum += leaves[tree * (inner + 1) + node - inner];
    }
    forecasts[sample] = sum / trees;
}

// The work-group's features lie in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void decision_forest_local(__global const float *samples, __global const int *asked,
                           __global const float *limits, __global const float *leaves,
                           __global float *forecasts, int trees, int depth, int features, __local float *own)
{
    const int sample = get_global_id(0);
    const int number = get_global_size(0);
    const int item = get_local_id(0);
    const int inner = (1 << depth) - 1;

    for (int feature = 0; feature < features; ++feature)
        own[feature * GROUP + item] = samples[feature * number + sample];

    float sum = 0.0f;
    for (int tree = 0; tree < trees; ++tree) {
        int node = 0;
        while (node < inner) {
            const int at = tree * inner + node;
            node = 2 * node + 1 + (own[asked[at] * GROUP + item] > limits[at]);
        }
        sum += leaves[tree * (inner + 1) + node - inner];
    }
    forecasts[sample] = sum / trees;
}
