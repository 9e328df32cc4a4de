// c = alpha · a · b for every pair of row-major matrices in a batch: m × k, k × n and m × n. A work-item
// makes an 8 × 8 block of c; m and n are multiples of 8, k is one of DEPTH.

#define BLOCK 8
#define SIDE 8 // a work-group has SIDE × SIDE blocks
#define TILE (BLOCK * SIDE)
#define PITCH (TILE + 4) // so that what is stored below one another lies in other banks
#define REPEAT_8(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)

typedef struct {
    int m, n, k;
    float alpha;
} shape;

// Reads a and b straight from global memory.
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void batched_matmul_global(__global const float *a, __global const float *b, __global float *c, shape of)
{
    const int column = BLOCK * get_global_id(0), row = BLOCK * get_global_id(1), matrix = get_global_id(2);
    if (row >= of.m || column >= of.n)
        return;
    a += (matrix * of.m + row) * of.k;
    b += matrix * of.k * of.n + column;
    c += (matrix * of.m + row) * of.n + column;

    float8 sums[BLOCK];
#define CLEAR(i) sums[i] = (float8)(0.0f);
    REPEAT_8(CLEAR)
    for (int k = 0; k < of.k; ++k) {
        const float8 across = vload8(0, b + k * of.n);
#define ADD(i) sums[i] += a[(i) * of.k + k] * across;
        REPEAT_8(ADD)
    }
#define KEEP(i) vstore8(of.alpha * sums[i], 0, c + (i) * of.n);
    REPEAT_8(KEEP)
}

// Where a matrix ends, its tiles go on with zeros.
static inline float4 four_or_0(__global const float *from, bool is_there)
{
    return is_there ? vload4(0, from) : (float4)(0.0f);
}

// Shares tiles of a, transposed, and of b in local memory.
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void batched_matmul_local(__global const float *a, __global const float *b, __global float *c, shape of)
{
    __local float a_tile[DEPTH * PITCH], b_tile[DEPTH * TILE];
    const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const int left = get_group_id(0) * TILE, top = get_group_id(1) * TILE, matrix = get_global_id(2);
    a += matrix * of.m * of.k;
    b += matrix * of.k * of.n;

    float4 sums[BLOCK][2];
    #pragma unroll
    for (int i = 0; i < BLOCK; ++i)
        sums[i][0] = sums[i][1] = (float4)(0.0f);
    for (int start = 0; start < of.k; start += DEPTH) {
        for (int i = item; i < TILE * DEPTH / 4; i += SIDE * SIDE) {
            const int row = i / (DEPTH / 4), k = i % (DEPTH / 4) * 4;
            const float4 four = four_or_0(a + (top + row) * of.k + start + k, top + row < of.m);
            a_tile[(k + 0) * PITCH + row] = four.x;
            a_tile[(k + 1) * PITCH + row] = four.y;
            a_tile[(k + 2) * PITCH + row] = four.z;
            a_tile[(k + 3) * PITCH + row] = four.w;
        }
        for (int i = item; i < TILE * DEPTH / 4; i += SIDE * SIDE) {
            const int k = i / (TILE / 4), column = i % (TILE / 4) * 4;
            vstore4(four_or_0(b + (start + k) * of.n + left + column, left + column < of.n), 0,
                    b_tile + k * TILE + column);
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are complete

        for (int k = 0; k < DEPTH; ++k) {
            const float4 across[2] = {vload4(x, b_tile + k * TILE), vload4(x + SIDE, b_tile + k * TILE)};
            #pragma unroll
            for (int i = 0; i < BLOCK; ++i) {
                const float down = a_tile[k * PITCH + BLOCK * y + i];
                sums[i][0] += down * across[0];
                sums[i][1] += down * across[1];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the tiles any more
    }
    // A work-item's eight columns are four and four, half a tile apart.
    for (int i = 0; i < BLOCK; ++i) {
        const int row = top + BLOCK * y + i;
        for (int half_tile = 0; half_tile < 2; ++half_tile) {
            const int column = left + half_tile * TILE / 2 + 4 * x;
            if (row < of.m && column < of.n)
                vstore4(of.alpha * sums[i][half_tile], 0, c + (matrix * of.m + row) * of.n + column);
        }
    }
}
