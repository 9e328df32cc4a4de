// Every number of a row-major matrix has those above it added: the second pass of a summed-area table
// (Crow, 1984), in place. A work-item goes down a column; neighbours read and write side by side.

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void prefix_columns(__global uint *matrix, int rows)
{
    const int columns = get_global_size(0);
    __global uint *column = matrix + get_global_id(0);
    for (int row = 1; row < rows; ++row)
        column[row * columns] += column[(row - 1) * columns];
}
