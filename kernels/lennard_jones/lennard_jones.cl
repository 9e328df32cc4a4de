// The force on every atom from its listed neighbours by the potential of Lennard-Jones, 4 (r⁻¹² − r⁻⁶), cut
// off beyond CUTOFF and no steeper than at NEAREST; after SHOC's MD. A work-item has one atom; the k-th
// neighbours of all atoms lie side by side.

#define CUTOFF_SQUARED 4.0f
#define NEAREST_SQUARED 0.8f

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lennard_jones(__global const float4 *positions, __global const int *lists, __global float4 *forces,
                   int neighbours)
{
    const int atom = get_global_id(0);
    const int atoms = get_global_size(0);
    const float4 here = positions[atom];

    float4 force = 0.0f;
    for (int k = 0; k < neighbours; ++k) {
        float4 apart = here - positions[lists[k * atoms + atom]];
        apart.w = 0.0f;
        const float squared = dot(apart, apart);
        if (squared < CUTOFF_SQUARED) {
            const float inverse = 1.0f / fmax(squared, NEAREST_SQUARED);
            const float sixth = inverse * inverse * inverse;
            force += apart * (24.0f * inverse * sixth * (2.0f * sixth - 1.0f));
        }
    }
    forces[atom] = force;
}
