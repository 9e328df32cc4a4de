// Sorts rows of LENGTH keys by heaps (Williams, 1964). A work-item has a row, which it keeps in private
// memory; the same key of neighbours' rows lies side by side. Where it reads next depends on the keys, so
// that they can't stay in registers.

// Lets the key at `root` sink until no child of it is larger.
void sift_down(uint *heap, int root, int end)
{
    const uint key = heap[root];
    for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
        if (child + 1 < end && heap[child + 1] > heap[child])
            ++child;
        if (heap[child] <= key)
            break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = key;
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void heap_sort(__global const uint *keys, __global uint *sorted)
{
    const int rows = get_global_size(0);
    const int row = get_global_id(0);

    uint heap[LENGTH];
    for (int i = 0; i < LENGTH; ++i)
        heap[i] = keys[i * rows + row];
    for (int root = LENGTH / 2 - 1; root >= 0; --root)
        sift_down(heap, root, LENGTH);
    for (int end = LENGTH - 1; end >= 0; --end) {
        sorted[end * rows + row] = heap[0];
        heap[0] = heap[end];
        sift_down(heap, 0, end);
    }
}
