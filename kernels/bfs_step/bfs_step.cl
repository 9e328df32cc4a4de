// The third step of a breadth-first search. A vertex whose level is at most FRONTIER has been reached and
// keeps it; any other one is reached now if one of its neighbours is on the frontier, and looks no
// further then (Beamer, Asanović and Patterson, SC 2012). A work-item has one vertex.

#define FRONTIER 2
#define NOT_REACHED INT_MAX

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void bfs_step(__global const int *starts, __global const int *neighbours, __global const int *before,
              __global int *after)
{
    const int vertex = get_global_id(0);

    int level = before[vertex];
    if (level > FRONTIER) {
        level = NOT_REACHED;
        for (int i = starts[vertex]; i < starts[vertex + 1]; ++i)
            if (before[neighbours[i]] == FRONTIER) {
                level = FRONTIER + 1;
                break;
            }
    }
    after[vertex] = level;
}
