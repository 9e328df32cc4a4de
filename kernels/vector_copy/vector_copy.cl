// target = source. A work-item copies one VECTOR: float, float2, float4, float8 or float16.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void vector_copy(__global const VECTOR *source, __global VECTOR *target)
{
    const int i = get_global_id(0);
    target[i] = source[i];
}
