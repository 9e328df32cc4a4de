// A step of PageRank (Brin and Page, 1998), with the ranks' mean kept at 1: a vertex gets from each
// neighbour that links to it the neighbour's rank over the number of its links. A work-item has a vertex.

#define DAMPING 0.85f

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void pagerank_step(__global const int *starts, __global const int *neighbours, __global const float *before,
                   __global const int *links, __global float *after)
{
    const int vertex = get_global_id(0);
    const int end = starts[vertex + 1];

    float sum = 0.0f;
    for (int i = starts[vertex]; i < end; ++i) {
        const int neighbour = neighbours[i];
        sum += before[neighbour] / links[neighbour];
    }
    after[vertex] = 1.0f - DAMPING + DAMPING * sum;
}
