// Shortest distances in rounds: each vertex takes the minimum of its own level and its neighbours' and its parent's
// levels plus its weight, all from before the round.

int least(__global const int *starts, __global const int *edges, __global const int *parents,
          __global const int *levels, __global const int *weights, int v)
{
    int level = levels[parents[v]];
    for (int e = starts[v]; e < starts[v + 1]; e++)
        level = min(level, levels[edges[e]]);
    return min(levels[v], level + weights[v]);
}

__kernel void pull(__global const int *starts, __global const int *edges, __global const int *parents,
                   __global const int *turns, __global const int *levels, __global const int *weights,
                   __global int *next)
{
    const int v = turns[get_global_id(0)];
    next[v] = least(starts, edges, parents, levels, weights, v);
}

__kernel void copy(__global const int *next, __global int *levels)
{
    levels[get_global_id(0)] = next[get_global_id(0)];
}

__kernel void levels_of_all(__global const int *starts, __global const int *edges, __global const int *parents,
                            __global const int *turns, __global int *levels, __global const int *weights, int vertices,
                            int rounds)
{
    int next[VERTICES];
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < vertices; i++)
            next[turns[i]] = least(starts, edges, parents, levels, weights, turns[i]);
        for (int i = 0; i < vertices; i++)
            levels[i] = next[i];
    }
}
