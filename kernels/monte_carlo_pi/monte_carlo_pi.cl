// Adds to hits[g % counters] how many of work-group g's points lie in the quarter circle, of which a
// work-item draws `draws`. The generator has no state: the number of a draw is mixed until its bits
// look random, by the finaliser of Appleby's MurmurHash3.

uint mix_bits(uint x)
{
    x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
    x = (x ^ (x >> 13)) * 0xC2B2AE35u;
    return x ^ (x >> 16);
}

// Points among the work-item's draws that lie in the circle; 15 bits a coordinate.
uint hits_of_item(uint draws)
{
    const uint first = (uint)get_global_id(0) * draws;
    uint inside = 0;
    for (uint draw = first; draw < first + draws; ++draw) {
        const uint bits = mix_bits(draw + 1);
        const uint x = bits & 0x7FFF;
        const uint y = bits >> 17;
        inside += x * x + y * y < 0x40000000u;
    }
    return inside;
}

// Every work-item adds its hits to the global counter.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void monte_carlo_pi_global(__global uint *hits, uint draws, int counters)
{
    atomic_add(&hits[get_group_id(0) % counters], hits_of_item(draws));
}

// The work-group adds up in local memory first.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void monte_carlo_pi_local(__global uint *hits, uint draws, int counters)
{
    __local uint sum;
    if (get_local_id(0) == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, hits_of_item(draws));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_add(&hits[get_group_id(0) % counters], sum);
}
