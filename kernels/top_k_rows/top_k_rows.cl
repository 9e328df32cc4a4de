// The K largest scores of each row and where they stand, the largest first; of equal ones the first. A
// work-item has a row, and keeps the best so far in a heap of its own whose root is the worst of them: most
// scores are turned away there.

typedef struct {
    float score;
    int place;
} candidate;

inline bool is_worse(candidate a, candidate b)
{
    return a.score < b.score || (a.score == b.score && a.place > b.place);
}

// Lets `sinking` down from the root until none below it is worse.
static inline void sift_down(candidate *heap, candidate sinking, int root, int end)
{
    for (int child = 2 * root + 1; child < end; child = 2 * root + 1) {
        if (child + 1 < end && is_worse(heap[child + 1], heap[child]))
            ++child;
        if (is_worse(sinking, heap[child]))
            break;
        heap[root] = heap[child];
        root = child;
    }
    heap[root] = sinking;
}

static inline void offer(candidate *heap, float score, int place)
{
    const candidate own = {score, place};
    if (is_worse(heap[0], own))
        sift_down(heap, own, 0, K);
}

// Places beyond the row's last, which lose to any.
#define CLEAR(heap)                                                           \
    for (int i = 0; i < K; ++i) {                                             \
        heap[i].score = -INFINITY;                                            \
        heap[i].place = INT_MAX;                                              \
    }

static inline void store_sorted(__global candidate *best, candidate *heap)
{
    for (int end = K - 1; end >= 0; --end) {
        best[end] = heap[0];
        sift_down(heap, heap[end], 0, end);
    }
}

// Scores are read row by row, four at a time: neighbours are a row apart.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void top_k_rows_global(__global const float *scores, __global candidate *best, int rows, int columns)
{
    const int row = get_global_id(0);
    if (row >= rows)
        return;
    scores += row * columns;

    candidate heap[K];
    CLEAR(heap);
    for (int i = 0; i < columns / 4; ++i) {
        const float4 four = vload4(i, scores);
        if (fmax(fmax(four.x, four.y), fmax(four.z, four.w)) < heap[0].score)
            continue;
        offer(heap, four.x, 4 * i);
        offer(heap, four.y, 4 * i + 1);
        offer(heap, four.z, 4 * i + 2);
        offer(heap, four.w, 4 * i + 3);
    }
    store_sorted(best + row * K, heap);
}

// The work-group brings WIDTH columns of its rows at a time to local memory, side by side.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void top_k_rows_local(__global const float *scores, __global candidate *best, int rows, int columns)
{
    __local float tile[GROUP * (WIDTH + 1)];
    const int item = get_local_id(0), row = get_global_id(0), top = get_group_id(0) * GROUP;

    candidate heap[K];
    CLEAR(heap);
    for (int left = 0; left < columns; left += WIDTH) {
        for (int i = item; i < GROUP * WIDTH; i += GROUP) {
            const int from_row = min(top + i / WIDTH, rows - 1), column = min(left + i % WIDTH, columns - 1);
            tile[i / WIDTH * (WIDTH + 1) + i % WIDTH] = scores[from_row * columns + column];
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the tile is complete
        for (int i = 0; i < min(WIDTH, columns - left); ++i)
            offer(heap, tile[item * (WIDTH + 1) + i], left + i);
        barrier(CLK_LOCAL_MEM_FENCE); // all have read it
    }
    if (row < rows)
        store_sorted(best + row * K, heap);
}
