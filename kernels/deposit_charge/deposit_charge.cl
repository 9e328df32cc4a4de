// Adds every particle's charge to the four corners of the grid's cell that it lies in, more to the nearer
// ones, as particle-in-cell codes do; in 65,536ths, so that the order of the additions changes nothing.
// The grid's edges meet their opposites. A work-item has a particle, whose place is in 65,536ths of the
// grid's side.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void deposit_charge(__global const ushort2 *places, __global const int *charges, __global int *grid, int side)
{
    const ushort2 place = places[get_global_id(0)];
    const int charge = charges[get_global_id(0)];

    const int x = place.x * side, y = place.y * side; // 16 bits behind the point
    const int left = x >> 16, top = y >> 16;
    const int right = left + 1 < side ? left + 1 : 0;
    const int bottom = top + 1 < side ? top + 1 : 0;
    const int to_right = x >> 8 & 255, to_bottom = y >> 8 & 255;

    atomic_add(&grid[top * side + left], charge * (256 - to_right) * (256 - to_bottom));
    atomic_add(&grid[top * side + right], charge * to_right * (256 - to_bottom));
    atomic_add(&grid[bottom * side + left], charge * (256 - to_right) * to_bottom);
    atomic_add(&grid[bottom * side + right], charge * to_right * to_bottom);
}
