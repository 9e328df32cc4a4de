// Multiply-adds in CHAINS independent chains a work-item.
// With -D: NUMBER (float), ELEMENT (float4), CHAINS, STEPS.

__kernel void multiply_add(__global ELEMENT *out, const NUMBER factor, const NUMBER summand, const int rounds)
{
    ELEMENT chain[CHAINS];
    for (int k = 0; k < CHAINS; k++)
        chain[k] = (ELEMENT)((NUMBER)(get_global_id(0) + k));
    for (int round = 0; round < rounds; round++) {
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
#pragma unroll
            for (int k = 0; k < CHAINS; k++)
                chain[k] = chain[k] * factor + summand;
        }
    }
    ELEMENT sum = chain[0];
    for (int k = 1; k < CHAINS; k++)
        sum += chain[k];
    out[get_global_id(0)] = sum;
}
