// One step of Euler's equations for a gas in two dimensions, by finite volumes: van Leer's MUSCL scheme
// (J. Comput. Phys. 32 (1979)) with a limiter that is chosen by a macro, and the flux of Harten, Lax and van
// Leer (SIAM Rev. 25 (1983)) through the sides of a cell. A cell holds its density, its momentum in x and y,
// and its energy; beyond the edges the gas is as it is there. A work-item has a cell.

typedef struct {
    int width, height;
    float step_x, step_y; // time step / size of a cell
} mesh;

#define GAMMA 1.4f
#define REACH 2
#define SIDE (TILE + 2 * REACH)

// Of two slopes, one that makes no new extremes.
static inline float4 minmod(float4 a, float4 b)
{
    return 0.5f * (sign(a) + sign(b)) * fmin(fabs(a), fabs(b));
}

static inline float4 van_leer(float4 a, float4 b)
{
    const float4 product = a * b;
    return select((float4)(0.0f), 2.0f * product / (a + b), product > 0.0f);
}

static inline float pressure(float4 gas)
{
    return (GAMMA - 1.0f) * (gas.w - 0.5f * (gas.y * gas.y + gas.z * gas.z) / gas.x);
}

// What flows along the first axis.
static inline float4 flux(float4 gas, float speed, float pressing)
{
    return speed * gas + (float4)(0.0f, pressing, 0.0f, pressing * speed);
}

// What flows from the second of four cells in a row to the third.
static inline float4 flux_between(float4 a, float4 b, float4 c, float4 d)
{
    const float4 left = b + 0.5f * LIMITER(b - a, c - b);
    const float4 right = c - 0.5f * LIMITER(c - b, d - c);
    const float left_pressure = pressure(left), right_pressure = pressure(right);
    const float left_speed = left.y / left.x, right_speed = right.y / right.x;
    const float left_sound = sqrt(GAMMA * left_pressure / left.x);
    const float right_sound = sqrt(GAMMA * right_pressure / right.x);
    const float slowest = fmin(left_speed - left_sound, right_speed - right_sound);
    const float fastest = fmax(left_speed + left_sound, right_speed + right_sound);

    const float4 from_left = flux(left, left_speed, left_pressure);
    const float4 from_right = flux(right, right_speed, right_pressure);
    if (slowest >= 0.0f)
        return from_left;
    if (fastest <= 0.0f)
        return from_right;
    return (fastest * from_left - slowest * from_right + slowest * fastest * (right - left)) / (fastest - slowest);
}

// The cell in the middle after the step, from the two on each side of it; AT(dx, dy) reads one. In y, the
// axes change places.
#define ALONG_X(dx) AT(dx, 0)
#define ALONG_Y(dy) AT(0, dy).xzyw
#define BALANCE(along) (flux_between(along(-2), along(-1), along(0), along(1))                \
                        - flux_between(along(-1), along(0), along(1), along(2)))
#define STEP (AT(0, 0) + cells.step_x * BALANCE(ALONG_X) + cells.step_y * (BALANCE(ALONG_Y)).xzyw)

#define AT(dx, dy) before[clamp(y + (dy), 0, cells.height - 1) * cells.width + clamp(x + (dx), 0, cells.width - 1)]

__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void euler_step_global(__global const float4 *before, __global float4 *after, mesh cells)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x >= cells.width || y >= cells.height)
        return;
    after[y * cells.width + x] = STEP;
}

#undef AT
#define AT(dx, dy) tile[get_local_id(1) + REACH + (dy)][get_local_id(0) + REACH + (dx)]

// The work-group shares its cells and two around them.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void euler_step_local(__global const float4 *before, __global float4 *after, mesh cells)
{
    __local float4 tile[SIDE][SIDE];
    const int x = get_global_id(0), y = get_global_id(1);
    const int left = get_group_id(0) * TILE - REACH, top = get_group_id(1) * TILE - REACH;

    for (int i = get_local_id(1) * TILE + get_local_id(0); i < SIDE * SIDE; i += TILE * TILE) {
        const int from_x = clamp(left + i % SIDE, 0, cells.width - 1);
        const int from_y = clamp(top + i / SIDE, 0, cells.height - 1);
        tile[i / SIDE][i % SIDE] = before[from_y * cells.width + from_x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x < cells.width && y < cells.height)
        after[y * cells.width + x] = STEP;
}
