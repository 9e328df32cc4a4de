// A linear layer in 8-bit numbers, as networks are run where power is short: each output is a product of a row
// of inputs and the weights of a channel, with a bias, scaled by a multiplier of 31 bits and a shift, rounded
// and saturated. Numbers are loaded four at a time; a work-item makes 4 × 4 outputs.

#define BLOCK 4
#define TILE (BLOCK * SIDE)
#define PITCH (DEPTH + 1)

typedef struct {
    int bias, multiplier, shift;
} channel;

typedef struct {
    int rows, channels, depth; // depth in fours
    int input_zero, output_zero;
} layer;

static inline int dot_4(char4 a, char4 b)
{
    const int4 products = convert_int4(a) * convert_int4(b);
    return products.x + products.y + products.z + products.w;
}

static inline int sum_4(char4 a)
{
    return a.x + a.y + a.z + a.w;
}

// Half up, both times.
inline int times_multiplier(int x, int multiplier)
{
    return (int)(((long)x * multiplier + (1L << 30)) >> 31);
}

static inline char requantised(int sum, channel by, int zero)
{
    const int scaled = times_multiplier(sum + by.bias, by.multiplier);
    return convert_char_sat(((scaled + (1 << (by.shift - 1))) >> by.shift) + zero);
}

// Where a matrix ends, its last row goes on; what comes of it is not stored.
#define LAST_OR(i, n) min((i), (n) - 1)

// inputs and weights of a step are ROW(i) and COLUMN(j).
#define ADD_STEP(ROW, COLUMN)                                                 \
    do {                                                                      \
        char4 in[BLOCK], by[BLOCK];                                           \
        _Pragma("unroll")                                                     \
        for (int i = 0; i < BLOCK; ++i) {                                     \
            in[i] = ROW(i);                                                   \
            by[i] = COLUMN(i);                                                \
            of_weights[i] += sum_4(by[i]);                                    \
        }                                                                     \
        _Pragma("unroll")                                                     \
        for (int i = 0; i < BLOCK * BLOCK; ++i)                               \
            sums[i] += dot_4(in[i / BLOCK], by[i % BLOCK]);                   \
    } while (0)

// Inputs are relative to their zero: Σ (x − zero) w = Σ x w − zero Σ w.
#define STORE()                                                               \
    for (int i = 0; i < BLOCK; ++i)                                           \
        for (int j = 0; j < BLOCK; ++j)                                       \
            if (top + i < of.rows && left + j < of.channels)                  \
                outputs[(top + i) * of.channels + left + j] = requantised(    \
                    sums[i * BLOCK + j] - of.input_zero * of_weights[j], channels[left + j], of.output_zero)

// Reads both matrices straight from global memory.
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void quantised_linear_global(__global const char4 *inputs, __global const char4 *weights,
                             __global const channel *channels, __global char *outputs, layer of)
{
    const int left = BLOCK * get_global_id(0), top = BLOCK * get_global_id(1);
    if (left >= of.channels || top >= of.rows)
        return;

    int sums[BLOCK * BLOCK] = {0}, of_weights[BLOCK] = {0};
#define FAR_ROW(i) inputs[LAST_OR(top + (i), of.rows) * of.depth + k]
#define FAR_COLUMN(j) weights[LAST_OR(left + (j), of.channels) * of.depth + k]
    for (int k = 0; k < of.depth; ++k)
        ADD_STEP(FAR_ROW, FAR_COLUMN);
    STORE();
}

// Shares tiles of DEPTH fours of both matrices in local memory; depth is a multiple of DEPTH.
__kernel __attribute__((reqd_work_group_size(SIDE, SIDE, 1)))
void quantised_linear_local(__global const char4 *inputs, __global const char4 *weights,
                            __global const channel *channels, __global char *outputs, layer of)
{
    __local char4 rows[TILE * PITCH], columns[TILE * PITCH];
    const int x = get_local_id(0), y = get_local_id(1), item = y * SIDE + x;
    const int left = BLOCK * get_global_id(0), top = BLOCK * get_global_id(1);
    const int tile_left = TILE * get_group_id(0), tile_top = TILE * get_group_id(1);

    int sums[BLOCK * BLOCK] = {0}, of_weights[BLOCK] = {0};
#define NEAR_ROW(i) rows[(BLOCK * y + (i)) * PITCH + k]
#define NEAR_COLUMN(j) columns[(BLOCK * x + (j)) * PITCH + k]
    for (int start = 0; start < of.depth; start += DEPTH) {
        for (int i = item; i < TILE * DEPTH; i += SIDE * SIDE) {
            const int row = i / DEPTH, k = i % DEPTH;
            rows[row * PITCH + k] = inputs[LAST_OR(tile_top + row, of.rows) * of.depth + start + k];
            columns[row * PITCH + k] = weights[LAST_OR(tile_left + row, of.channels) * of.depth + start + k];
        }
        barrier(CLK_LOCAL_MEM_FENCE); // the tiles are complete
        for (int k = 0; k < DEPTH; ++k)
            ADD_STEP(NEAR_ROW, NEAR_COLUMN);
        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads them any more
    }
    STORE();
}
