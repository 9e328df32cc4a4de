// A step of 256 breadth-first searches at once: a vertex has a bit for each. What has just reached a vertex's
// neighbours reaches it, if it has not before. A work-item has a vertex, and looks at no more neighbours once all
// searches are there.

typedef uint8 sources; // a bit each

inline int is_empty(sources all)
{
    const uint4 halves = all.lo | all.hi;
    const uint2 quarters = halves.lo | halves.hi;
    return (quarters.x | quarters.y) == 0;
}

static inline ushort size(sources all)
{
    const uint8 counts = popcount(all);
    const uint4 halves = counts.lo + counts.hi;
    const uint2 quarters = halves.xy + halves.zw;
    return quarters.x + quarters.y;
}

__kernel void reachable_sets(__global const uint *restrict starts, __global const uint *restrict neighbours,
                             __global const sources *restrict frontier, __global sources *restrict seen,
                             __global sources *restrict next, __global ushort *restrict fresh,
                             uint vertices)
{
    const uint vertex = get_global_id(0);
    if (vertex >= vertices)
        return;

    const sources missing = ~seen[vertex];
    const uint end = starts[vertex + 1];
    sources reached = 0;
    for (uint i = starts[vertex]; i < end; ++i) {
        reached |= frontier[neighbours[i]];
        if (is_empty(missing & ~reached))
            break;
    }
    reached &= missing;
    next[vertex] = reached;
    fresh[vertex] = size(reached);
    if (!is_empty(reached))
        seen[vertex] |= reached;
}
