// Each particle moves one step within a periodic box, and stores its last three heights.

typedef struct {
    float4 position, velocity;
    float history[3];
    uchar kind;
} particle;

typedef struct {
    float size;
    float4 drift;
} box;

void drift(__global particle *p, __global half *energy, box within, float mass)
{
    const float4 velocity = p->velocity + within.drift;
    p->position -= within.size * floor((p->position + 0.1f * velocity) / within.size) - 0.1f * velocity;
    for (int i = 2; i > 0; i--)
        p->history[i] = p->history[i - 1];
    p->history[0] = p->position.y;
    vstore_half(0.5f * mass * dot(velocity, velocity), 0, energy);
}

__kernel void drift_each(__global particle *particles, __global half *energies, box within, float4 masses)
{
    const int i = get_global_id(0);
    const float of_kind[4] = {masses.x, masses.y, masses.z, masses.w};
    drift(particles + i, energies + i, within, of_kind[particles[i].kind]);
}

__kernel void drift_all(__global particle *particles, __global half *energies, box within, float4 masses, int n)
{
    for (int i = 0; i < n; i++) {
        const int kind = particles[i].kind;
        const float mass = kind == 0 ? masses.x : kind == 1 ? masses.y : kind == 2 ? masses.z : masses.w;
        drift(particles + i, energies + i, within, mass);
    }
}
