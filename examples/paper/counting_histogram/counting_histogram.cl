// Each work-item counts how often its number is in the data, all of which it goes through.
__kernel void counting_histogram(__global const int *data, __global int *counts, int n)
{
    const int number = get_global_id(0);
    int count = 0;
    for (int i = 0; i < n; ++i)
        if (data[i] == number)
            ++count;
    counts[number] = count;
}
