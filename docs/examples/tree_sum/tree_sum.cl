// Adds to each number at a multiple of 2 · distance the one `distance` after it.

__kernel void sum_pairs(__global int *numbers, int distance)
{
    const int i = 2 * distance * get_global_id(0);
    numbers[i] += numbers[i + distance];
}

__kernel void sum_at_once(__global int *numbers, int n)
{
    for (int distance = 1; distance < n; distance *= 2)
        for (int i = 0; i < n; i += 2 * distance)
            numbers[i] += numbers[i + distance];
}
