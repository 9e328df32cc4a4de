// results[q] = Σ_k w_k · values[k], where the weights w are the softmax over keys of query · key / √SIZE;
// in one pass, with the largest score so far taken off (Milakov and Gimelshein, 2018). A work-item has a
// query of SIZE numbers.

// What is known after some keys: the largest score, the weights' sum, and the values' weighted sum.
typedef struct {
    float largest, weights, sum[SIZE];
} seen;

// One key and its value more. The loops are unrolled, so that private arrays stay in registers.
#define SEE(own, query, key, value)                                 \
    do {                                                            \
        float score = 0.0f;                                         \
        _Pragma("unroll")                                           \
        for (int d = 0; d < SIZE; ++d)                              \
            score += (query)[d] * (key)[d];                         \
        const float largest = fmax((own).largest, score);           \
        const float less = exp((own).largest - largest);            \
        const float weight = exp(score - largest);                  \
        (own).largest = largest;                                    \
        (own).weights = (own).weights * less + weight;              \
        _Pragma("unroll")                                           \
        for (int d = 0; d < SIZE; ++d)                              \
            (own).sum[d] = (own).sum[d] * less + weight * (value)[d]; \
    } while (0)

// Every key is read from global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void attention_global(__global const float *queries, __global const float *keys, __global const float *values,
                      __global float *results, int keys_number)
{
    const int start = get_global_id(0) * SIZE;

    float query[SIZE];
    seen own = {-INFINITY, 0.0f, {0.0f}};
    #pragma unroll
    for (int d = 0; d < SIZE; ++d)
        query[d] = queries[start + d] * rsqrt((float)SIZE);
    for (int k = 0; k < keys_number; ++k)
        SEE(own, query, keys + k * SIZE, values + k * SIZE);
    #pragma unroll
    for (int d = 0; d < SIZE; ++d)
        results[start + d] = own.sum[d] / own.weights;
}

// The work-group brings BLOCK keys at a time to local memory; keys_number is a multiple of BLOCK.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void attention_local(__global const float *queries, __global const float *keys, __global const float *values,
                     __global float *results, int keys_number)
{
    __local float near_keys[BLOCK * SIZE], near_values[BLOCK * SIZE];
    const int start = get_global_id(0) * SIZE;

    float query[SIZE];
    seen own = {-INFINITY, 0.0f, {0.0f}};
    #pragma unroll
    for (int d = 0; d < SIZE; ++d)
        query[d] = queries[start + d] * rsqrt((float)SIZE);
    for (int first = 0; first < keys_number; first += BLOCK) {
        for (int i = get_local_id(0); i < BLOCK * SIZE; i += GROUP) {
            near_keys[i] = keys[first * SIZE + i];
            near_values[i] = values[first * SIZE + i];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < BLOCK; ++k)
            SEE(own, query, near_keys + k * SIZE, near_values + k * SIZE);
        barrier(CLK_LOCAL_MEM_FENCE); // all have used them
    }
    #pragma unroll
    for (int d = 0; d < SIZE; ++d)
        results[start + d] = own.sum[d] / own.weights;
}
