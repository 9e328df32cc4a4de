// numbers[s] = number `steps` of Marsaglia's 128-bit xorshift generator (J. Statistical Software 8, 2003),
// started from seeds[s]. A work-item has one generator.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void xorshift(__global const uint4 *seeds, __global uint *numbers, int steps)
{
    const int stream = get_global_id(0);
    uint x = seeds[stream].x, y = seeds[stream].y, z = seeds[stream].z, w = seeds[stream].w;
    for (int step = 0; step < steps; ++step) {
        const uint t = x ^ (x << 11);
        x = y;
        y = z;
        z = w;
        w = w ^ (w >> 19) ^ t ^ (t >> 8);
    }
    numbers[stream] = w;
}
