// One step of Batcher's bitonic sort (1968): keys `distance` apart are put in order, ascending and
// descending in turns of `run` keys; both are powers of 2. A work-item has one pair.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bitonic_step(__global const uint *keys, __global uint *stepped, int run, int distance)
{
    const int pair = get_global_id(0);
    const int lower = 2 * pair - (pair & (distance - 1));
    const int upper = lower + distance;
    const uint a = keys[lower];
    const uint b = keys[upper];
    const bool ascending = (lower & run) == 0;

    stepped[lower] = ascending ? min(a, b) : max(a, b);
    stepped[upper] = ascending ? max(a, b) : min(a, b);
}
