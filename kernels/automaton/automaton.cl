// Runs texts over LETTERS letters through a finite automaton of STATES states: where each text ends, and
// how often it comes through one of the first MATCHING states. A work-item has a text; texts lie one
// after the other.

#define STATES 64
#define LETTERS 16
#define MATCHING 4

// The table of next states lies in global memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void automaton_global(__global const uchar *next, __global const uchar *texts, __global uchar *ends,
                      __global int *matches, int length)
{
    __global const uchar *text = texts + get_global_id(0) * length;
    int state = 0, count = 0;
    for (int i = 0; i < length; ++i) {
        state = next[state * LETTERS + text[i]];
        count += state < MATCHING;
    }
    ends[get_global_id(0)] = state;
    matches[get_global_id(0)] = count;
}

// The table lies in local memory.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void automaton_local(__global const uchar *next, __global const uchar *texts, __global uchar *ends,
                     __global int *matches, int length)
{
    __local uchar table[STATES * LETTERS];
    for (int i = get_local_id(0); i < STATES * LETTERS; i += GROUP)
        table[i] = next[i];
    barrier(CLK_LOCAL_MEM_FENCE);

    __global const uchar *text = texts + get_global_id(0) * length;
    int state = 0, count = 0;
    for (int i = 0; i < length; ++i) {
        state = table[state * LETTERS + text[i]];
        count += state < MATCHING;
    }
    ends[get_global_id(0)] = state;
    matches[get_global_id(0)] = count;
}
