// counts[d][i] = how many keys of work-item i have the digit d in the four bits from `shift` on. It has
// `per_item` keys, which lie as far apart as there are work-items.

#define DIGITS 16

// The counters are private; which one goes up is known at run time only.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void digit_counts_global(__global const uint *keys, __global uint *counts, int per_item, int shift)
{
    const int items = get_global_size(0);
    const int item = get_global_id(0);

    uint own[DIGITS];
    for (int digit = 0; digit < DIGITS; ++digit)
        own[digit] = 0;
    for (int i = 0; i < per_item; ++i)
        ++own[keys[i * items + item] >> shift & (DIGITS - 1)];
    for (int digit = 0; digit < DIGITS; ++digit)
        counts[digit * items + item] = own[digit];
}

// The counters lie in local memory, those of a digit side by side.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void digit_counts_local(__global const uint *keys, __global uint *counts, int per_item, int shift)
{
    __local uint all[DIGITS][GROUP];
    const int items = get_global_size(0);
    const int item = get_global_id(0);
    const int place = get_local_id(0);

    for (int digit = 0; digit < DIGITS; ++digit)
        all[digit][place] = 0;
    for (int i = 0; i < per_item; ++i)
        ++all[keys[i * items + item] >> shift & (DIGITS - 1)][place];
    for (int digit = 0; digit < DIGITS; ++digit)
        counts[digit * items + item] = all[digit][place];
}
