// counts[q] = how many keys of a complete binary search tree, which lies level by level, are from lows[q]
// to lows[q] + spans[q]. A work-item has a query; the subtrees that it has yet to see wait on a stack in
// private memory.

#define DEEPEST 32

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void tree_range_count(__global const uint *tree, __global const uint *lows, __global const uint *spans,
                      __global uint *counts, int levels)
{
    const uint low = lows[get_global_id(0)];
    const uint high = low + spans[get_global_id(0)];
    const uint nodes = 1u << levels; // one more than there are, since they are counted from 1

    uint stack[DEEPEST];
    int waiting = 0;
    stack[waiting++] = 1;
    uint count = 0;
    while (waiting > 0) {
        const uint node = stack[--waiting];
        const uint key = tree[node - 1];
        count += low <= key && key <= high;
        if (2 * node < nodes) {
            if (key <= high)
                stack[waiting++] = 2 * node + 1;
            if (key >= low)
                stack[waiting++] = 2 * node;
        }
    }
    counts[get_global_id(0)] = count;
}
