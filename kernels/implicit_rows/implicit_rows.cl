// The half of a time step of heat in two dimensions that goes along rows (Peaceman and Rachford, 1955),
// in place: (1 + 2 STEP) · new − STEP · (new left + new right) = old, with 0 beyond the ends. A work-item
// has a row and solves its equations from left to right and back: neighbours are a row apart.

#define STEP 0.75f

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void implicit_rows(__global float *field, int columns, __global float *ratios)
{
    __global float *row = field + get_global_id(0) * columns;
    __global float *ratio = ratios + get_global_id(0) * columns;

    ratio[0] = -STEP / (1.0f + 2.0f * STEP);
    row[0] = row[0] / (1.0f + 2.0f * STEP);
    for (int c = 1; c < columns; ++c) {
        const float pivot = 1.0f + 2.0f * STEP + STEP * ratio[c - 1];
        ratio[c] = -STEP / pivot;
        row[c] = (row[c] + STEP * row[c - 1]) / pivot;
    }
    for (int c = columns - 2; c >= 0; --c)
        row[c] -= ratio[c] * row[c + 1];
}
