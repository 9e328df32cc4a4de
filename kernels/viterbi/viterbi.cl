// The scores of the best paths that end in each of STATES hidden states, and from which state each step
// of them came (Viterbi, 1967); logarithms of probabilities, so that scores add up. The first of equal
// ones counts. A work-group has a sequence, a work-item a state.

// Scores and transitions lie in global memory.
__kernel __attribute__((reqd_work_group_size(STATES, 1, 1)))
void viterbi_global(__global const int *transitions, __global const int *emissions,
                    __global const uchar *letters, __global int *scores, __global uchar *origins, int steps,
                    __global int *scratch)
{
    const int state = get_local_id(0);
    const int sequence = get_group_id(0);
    __global int *before = scratch + sequence * 2 * STATES;
    __global int *now = before + STATES;

    int score = 0;
    for (int step = sequence * steps; step < (sequence + 1) * steps; ++step) {
        before[state] = score;
        barrier(CLK_GLOBAL_MEM_FENCE);
        int origin = 0;
        score = before[0] + transitions[state];
        for (int other = 1; other < STATES; ++other) {
            const int candidate = before[other] + transitions[other * STATES + state];
            if (candidate > score) {
                score = candidate;
                origin = other;
            }
        }
        score += emissions[letters[step] * STATES + state];
        origins[step * STATES + state] = origin;
        __global int *swap = now;
        now = before;
        before = swap;
    }
    scores[get_global_id(0)] = score;
}

// Scores and transitions lie in local memory.
__kernel __attribute__((reqd_work_group_size(STATES, 1, 1)))
void viterbi_local(__global const int *transitions, __global const int *emissions,
                   __global const uchar *letters, __global int *scores, __global uchar *origins, int steps)
{
    __local int from[STATES][STATES], rows[2][STATES];
    const int state = get_local_id(0);
    const int sequence = get_group_id(0);
    int now = 0;

    for (int other = 0; other < STATES; ++other)
        from[other][state] = transitions[other * STATES + state];
    int score = 0;
    for (int step = sequence * steps; step < (sequence + 1) * steps; ++step) {
        rows[now][state] = score;
        barrier(CLK_LOCAL_MEM_FENCE);
        int origin = 0;
        score = rows[now][0] + from[0][state];
        for (int other = 1; other < STATES; ++other) {
            const int candidate = rows[now][other] + from[other][state];
            if (candidate > score) {
                score = candidate;
                origin = other;
            }
        }
        score += emissions[letters[step] * STATES + state];
        origins[step * STATES + state] = origin;
        now = 1 - now;
    }
    scores[get_global_id(0)] = score;
}
