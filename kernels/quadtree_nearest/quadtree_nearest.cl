// The nearest of many points of the unit square to each query, by a quadtree without nodes: a node is its number
// along Morton's curve, and of the smallest squares a bitmap says which have a point. The points lie in the
// curve's order, so that counted bits say where a square's is. A work-item has a query, and a stack of the
// nodes that it has yet to see.

#define STACK 48
#define CHILDREN 4
#define PER_WORD 32

typedef struct {
    float x, y, side;
} square;

// Every other bit.
inline uint halved(uint bits)
{
    bits &= 0x55555555u;
    bits = (bits | bits >> 1) & 0x33333333u;
    bits = (bits | bits >> 2) & 0x0f0f0f0fu;
    bits = (bits | bits >> 4) & 0x00ff00ffu;
    return (bits | bits >> 8) & 0x0000ffffu;
}

// A node's number begins with a 1 before the curve's bits.
inline uint level_of(uint node)
{
    return (31 - clz(node)) / 2;
}

static inline square square_of(uint node)
{
    const uint level = level_of(node);
    const uint place = node ^ 1u << (2 * level);
    const float side = 1.0f / (float)(1u << level);
    const square found = {halved(place) * side, halved(place >> 1) * side, side};
    return found;
}

// Squared, to a square's nearest point.
static inline float distance_to(float2 query, square from)
{
    const float2 corner = (float2)(from.x, from.y);
    const float2 apart = query - clamp(query, corner, corner + from.side);
    return dot(apart, apart);
}

__kernel void quadtree_nearest(__global const float2 *queries, __global const uint *bitmap,
                               __global const uint *ranks, __global const float2 *points, __global float *distances,
                               __global uint *nearest, uint count, uint levels)
{
    const uint item = get_global_id(0);
    if (item >= count)
        return;

    const float2 query = queries[item];
    float best = INFINITY;
    uint best_point = 0;
    uint stack[STACK];
    int waiting = 0;
    stack[waiting++] = 1;
    while (waiting > 0) {
        const uint node = stack[--waiting];
        const square own = square_of(node);
        if (distance_to(query, own) >= best)
            continue;
        if (level_of(node) < levels) {
            const float2 middle = (float2)(own.x, own.y) + 0.5f * own.side;
            const uint first = (uint)(query.x >= middle.x) | (uint)(query.y >= middle.y) << 1;
            #pragma unroll
            for (uint i = CHILDREN; i-- > 0;) // the nearest is seen first
                stack[waiting++] = node * CHILDREN | (first ^ i);
            continue;
        }
        const uint place = node ^ 1u << (2 * levels);
        const uint word = bitmap[place / PER_WORD], bit = 1u << place % PER_WORD;
        if ((word & bit) == 0)
            continue;
        const uint point = ranks[place / PER_WORD] + popcount(word & (bit - 1));
        const float2 apart = (float2)(own.x, own.y) + own.side * points[point] - query;
        const float distance = dot(apart, apart);
        if (distance < best) {
            best = distance;
            best_point = point;
        }
    }
    distances[item] = native_sqrt(best);
    nearest[item] = best_point;
}
