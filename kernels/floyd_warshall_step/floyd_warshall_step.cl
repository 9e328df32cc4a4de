// after[i][j] = the shorter way from i to j: the one known before, or by way of `pivot`; after AMD's SDK
// program FloydWarshall. A work-item has one pair.

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void floyd_warshall_step(__global const uint *before, __global uint *after, int pivot)
{
    const int to = get_global_id(0);
    const int from = get_global_id(1);
    const int n = get_global_size(0);
    after[from * n + to] = min(before[from * n + to], before[from * n + pivot] + before[pivot * n + to]);
}
