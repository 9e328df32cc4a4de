// Merges the sorted runs of `width` keys in pairs: a pass of a merge sort from below. A work-item merges
// two runs, one key after the other, and which run it reads next depends on the keys.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void merge_runs(__global const uint *keys, __global uint *merged, int width)
{
    const int start = get_global_id(0) * 2 * width;
    const int middle = start + width;
    const int end = middle + width;

    int left = start, right = middle;
    for (int i = start; i < end; ++i) {
        const bool from_left = right == end || (left < middle && keys[left] <= keys[right]);
        merged[i] = from_left ? keys[left++] : keys[right++];
    }
}
