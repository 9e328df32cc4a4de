// ends[w] = where one is after `hops` steps from place w · apart to next[place]. Each read needs the one
// before: what is measured is latency.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pointer_chase(__global const uint *next, __global uint *ends, int hops, uint apart)
{
    const int walk = get_global_id(0);
    uint place = walk * apart;
    for (int hop = 0; hop < hops; ++hop)
        place = next[place];
    ends[walk] = place;
}
