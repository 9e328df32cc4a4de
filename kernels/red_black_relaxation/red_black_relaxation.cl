// Half a step of successive over-relaxation of Poisson's equation: every red cell moves towards, and
// beyond, what its neighbours and its source say, in place; its neighbours are all black, and stay as
// they are. The field has a rim one cell wide, which is given. A work-item has a red cell.

#define OVER 1.8f

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void red_black_relaxation(__global float *field, __global const float *sources)
{
    const int width = 2 * get_global_size(0);
    const int y = get_global_id(1);
    const int x = 2 * get_global_id(0) + y % 2;
    const int pitch = width + 2;

    __global float *cell = field + (y + 1) * pitch + x + 1;
    const float mean = 0.25f * (cell[-1] + cell[1] + cell[-pitch] + cell[pitch] + sources[y * width + x]);
    *cell += OVER * (mean - *cell);
}
