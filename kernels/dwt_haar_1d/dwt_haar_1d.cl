// Haar wavelet transform of every block of 2 · GROUP samples, down to the last level; after AMD's SDK
// program DwtHaar1D. A work-group has one block. Each level turns pairs (a, b) into approximations
// (a + b) / √2, which the next level goes on with, and details (a − b) / √2, which stay.
// A block's coefficients: the last approximation, then the details, coarsest level first.

#define BLOCK (2 * GROUP)
#define SQRT_HALF 0.70710678f

// The approximations go from level to level through global memory: the front of the block's coefficients.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dwt_haar_1d_global(__global const float *samples, __global float *coefficients)
{
    const int item = get_local_id(0);
    const int start = get_group_id(0) * BLOCK;
    __global float *block = coefficients + start;
    __global const float *approximation = samples + start;

    for (int pairs = GROUP; pairs > 0; pairs /= 2) {
        float a = 0.0f, b = 0.0f;
        if (item < pairs) {
            a = approximation[2 * item];
            b = approximation[2 * item + 1];
        }
        barrier(CLK_GLOBAL_MEM_FENCE); // all have read what is overwritten now
        if (item < pairs) {
            block[item] = (a + b) * SQRT_HALF;
            block[pairs + item] = (a - b) * SQRT_HALF;
        }
        barrier(CLK_GLOBAL_MEM_FENCE); // the level is complete
        approximation = block;
    }
}

// The approximations go from level to level through local memory; details leave it at once.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void dwt_haar_1d_local(__global const float *samples, __global float *coefficients)
{
    __local float approximation[BLOCK];
    const int item = get_local_id(0);
    const int start = get_group_id(0) * BLOCK;
    __global float *block = coefficients + start;

    approximation[item] = samples[start + item];
    approximation[GROUP + item] = samples[start + GROUP + item];
    barrier(CLK_LOCAL_MEM_FENCE);

    for (int pairs = GROUP; pairs > 0; pairs /= 2) {
        float a = 0.0f, b = 0.0f;
        if (item < pairs) {
            a = approximation[2 * item];
            b = approximation[2 * item + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE); // all have read what is overwritten now
        if (item < pairs) {
            approximation[item] = (a + b) * SQRT_HALF;
            block[pairs + item] = (a - b) * SQRT_HALF;
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the level is complete
    }
    if (item == 0)
        block[0] = approximation[0];
}
