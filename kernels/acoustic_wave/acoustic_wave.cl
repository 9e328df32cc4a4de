// One time step of the acoustic wave equation with a speed that differs from point to point:
//   after = 2 now − before + speed² Δ now,  with Δ of order 8 in space,
// damped towards the sides over `margin` points. `now` has RADIUS more points on every side than the others;
// `field` holds the step before and gets the one after. Speeds are stored in half precision.

typedef struct {
    int nx, ny, nz;
    int margin;
    float damping;
} volume;

#define RADIUS 4
#define TILE_X (GROUP_X + 2 * RADIUS)
#define TILE_Y (GROUP_Y + 2 * RADIUS)

// Weights of the second derivative, from the middle outwards.
__constant float weights[RADIUS + 1] = {-2.84722222f, 1.6f, -0.2f, 0.0253968254f, -0.00178571429f};

static inline float fading(int place, int size, volume v)
{
    const int deep = max(v.margin - min(place, size - 1 - place), 0);
    return 1.0f - v.damping * (float)(deep * deep);
}

// The step after, of a point whose second derivatives add up to `laplacian`.
static inline float advance(float now, float before, float speed, float laplacian, int x, int y, int z, volume v)
{
    const float after = 2.0f * now - before + speed * laplacian;
    return after * fading(x, v.nx, v) * fading(y, v.ny, v) * fading(z, v.nz, v);
}

#define PAIR(at, r, step) ((at)[-(r) * (step)] + (at)[(r) * (step)])
#define SHELL(at, r) (weights[r] * (PAIR(at, r, 1) + PAIR(at, r, row) + PAIR(at, r, plane)))

// A work-item has a point.
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, GROUP_Z)))
void acoustic_wave_global(__global const float *now, __global float *field, __global const half *speeds,
                          volume size)
{
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    if (x >= size.nx || y >= size.ny || z >= size.nz)
        return;

    const int row = size.nx + 2 * RADIUS;
    const int plane = row * (size.ny + 2 * RADIUS);
    __global const float *at = now + (z + RADIUS) * plane + (y + RADIUS) * row + x + RADIUS;
    const float laplacian = 3.0f * weights[0] * at[0] + SHELL(at, 1) + SHELL(at, 2) + SHELL(at, 3) + SHELL(at, 4);
    const int i = (z * size.ny + y) * size.nx + x;
    field[i] = advance(at[0], field[i], vload_half(i, speeds), laplacian, x, y, z, size);
}

#define ACROSS(r) (tile[ty][tx - (r)] + tile[ty][tx + (r)] + tile[ty - (r)][tx] + tile[ty + (r)][tx])

// A work-item goes along z through SLAB points, with nine points of that axis in registers; the work-group
// shares the plane that it is in.
__kernel __attribute__((reqd_work_group_size(GROUP_X, GROUP_Y, 1)))
void acoustic_wave_local(__global const float *now, __global float *field, __global const half *speeds,
                         volume size)
{
    __local float tile[TILE_Y][TILE_X];
    const int tx = get_local_id(0) + RADIUS, ty = get_local_id(1) + RADIUS;
    const int x = get_global_id(0), y = get_global_id(1);
    const bool inside = x < size.nx && y < size.ny;
    const int row = size.nx + 2 * RADIUS;
    const int plane = row * (size.ny + 2 * RADIUS);
    const int first = get_group_id(2) * SLAB, last = min(first + SLAB, size.nz);
    const int corner_x = get_group_id(0) * GROUP_X, corner_y = get_group_id(1) * GROUP_Y;

    // Work-items beyond the volume follow the last row and column.
    __global const float *at =
        now + first * plane + (min(y, size.ny - 1) + RADIUS) * row + min(x, size.nx - 1) + RADIUS;
    float back4, back3 = at[0], back2 = at[plane], back1 = at[2 * plane], here = at[3 * plane];
    float front1 = at[4 * plane], front2 = at[5 * plane], front3 = at[6 * plane], front4 = at[7 * plane];
    at += 8 * plane;

    for (int z = first; z < last; ++z, at += plane) {
        back4 = back3, back3 = back2, back2 = back1, back1 = here, here = front1;
        front1 = front2, front2 = front3, front3 = front4, front4 = at[0];

        barrier(CLK_LOCAL_MEM_FENCE); // nobody reads the last plane any more
        for (int i = get_local_id(1) * GROUP_X + get_local_id(0); i < TILE_X * TILE_Y; i += GROUP_X * GROUP_Y) {
            const int from_x = min(corner_x + i % TILE_X, row - 1);
            const int from_y = min(corner_y + i / TILE_X, size.ny + 2 * RADIUS - 1);
            tile[i / TILE_X][i % TILE_X] = now[(z + RADIUS) * plane + from_y * row + from_x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        if (inside) {
            const float laplacian = 3.0f * weights[0] * here
                                    + weights[1] * (ACROSS(1) + back1 + front1)
                                    + weights[2] * (ACROSS(2) + back2 + front2)
                                    + weights[3] * (ACROSS(3) + back3 + front3)
                                    + weights[4] * (ACROSS(4) + back4 + front4);
            const int i = (z * size.ny + y) * size.nx + x;
            field[i] = advance(here, field[i], vload_half(i, speeds), laplacian, x, y, z, size);
        }
    }
}
