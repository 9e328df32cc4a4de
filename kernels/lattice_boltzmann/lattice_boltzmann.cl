// One time step of a lattice-Boltzmann fluid with nine velocities a cell (D2Q9) and a single relaxation
// time: Qian, d'Humières and Lallemand, Europhys. Lett. 17 (1992). Populations lie velocity after velocity,
// each a width × height plane whose edges meet their opposites. A work-item pulls a cell's nine
// populations from its neighbours and relaxes them to equilibrium; width is a multiple of GROUP.

#define RATE 1.25f // one over the relaxation time

// The populations move by (x, y) with every step; opposite ones stand side by side.
typedef struct {
    int x, y;
    float weight;
} velocity;

velocity velocity_of(int q)
{
    const velocity v = {
        (q == 1 || q == 5 || q == 7) - (q == 2 || q == 6 || q == 8),
        (q == 3 || q == 5 || q == 8) - (q == 4 || q == 6 || q == 7),
        q == 0 ? 4.0f / 9.0f : q < 5 ? 1.0f / 9.0f : 1.0f / 36.0f,
    };
    return v;
}

// A place one beyond either edge is on the other one.
int wrap(int place, int size)
{
    return place < 0 ? place + size : place < size ? place : place - size;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void lattice_boltzmann(__global const float *before, __global float *after, int width, int height)
{
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int cells = width * height;

    float population[9]; // stays in registers: every loop over it is unrolled
    float density = 0.0f, momentum_x = 0.0f, momentum_y = 0.0f;
    #pragma unroll
    for (int q = 0; q < 9; ++q) {
        const velocity v = velocity_of(q);
        const int from_x = wrap(x - v.x, width);
        const int from_y = wrap(y - v.y, height);
        population[q] = before[q * cells + from_y * width + from_x];
        density += population[q];
        momentum_x += v.x * population[q];
        momentum_y += v.y * population[q];
    }
    const float speed_x = momentum_x / density;
    const float speed_y = momentum_y / density;
    const float energy = 1.5f * (speed_x * speed_x + speed_y * speed_y);
    #pragma unroll
    for (int q = 0; q < 9; ++q) {
        const velocity v = velocity_of(q);
        const float along = 3.0f * (v.x * speed_x + v.y * speed_y);
        const float equilibrium = v.weight * density * (1.0f + along + 0.5f * along * along - energy);
        after[q * cells + y * width + x] = population[q] + RATE * (equilibrium - population[q]);
    }
}
