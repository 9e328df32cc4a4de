// Half a sweep of the Ising model on a lattice whose edges meet their opposites: every spin on a black
// square turns over as Metropolis and others (1953) say, in place; its neighbours are all on white
// squares, which stay as they are. The random number comes from mixing place and sweep. A work-item has a
// black square.

#define CHANCE_OF_3 787764525u // of 2³²: exp(−4 · 0.424), 3 of 4 neighbours alike; turning breaks two bonds
#define CHANCE_OF_4 144488398u // exp(−8 · 0.424), all alike

uint mix_bits(uint x)
{
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void ising_checkerboard(__global char *spins, int height, uint sweep)
{
    const int width = 2 * get_global_size(0);
    const int y = get_global_id(1);
    const int x = 2 * get_global_id(0) + y % 2;
    const int left = x > 0 ? x - 1 : width - 1;
    const int right = x < width - 1 ? x + 1 : 0;
    const int above = y > 0 ? y - 1 : height - 1;
    const int below = y < height - 1 ? y + 1 : 0;

    const int place = y * width + x;
    const char spin = spins[place];
    const int alike = (spins[y * width + left] == spin) + (spins[y * width + right] == spin)
        + (spins[above * width + x] == spin) + (spins[below * width + x] == spin);
    const uint random = mix_bits(place * 747796405u + sweep);
    if (alike < 3 || random < (alike == 3 ? CHANCE_OF_3 : CHANCE_OF_4))
        spins[place] = 1 - spin;
}
