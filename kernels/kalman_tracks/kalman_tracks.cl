// Follows objects by Kalman's filter (J. Basic Eng. 82 (1960)): a track's state is place and speed; in every step
// it moves on, and where the object is seen, it is corrected towards the place where that was. A work-item has a
// track, whose state and covariance stay in registers: every loop over them is unrolled.

typedef struct {
    float state[6], covariance[36];
} track;

typedef struct {
    float step, drift, noise;
    float missed; // what is less sure than this was not seen
} tuning;

#define STATES 6
#define PLACES 3
#define P(i, j) p[(i) * STATES + (j)]

// The state and its covariance a step later.
static inline void predict(float *x, float *p, tuning by)
{
    #pragma unroll
    for (int i = 0; i < PLACES; ++i)
        x[i] += by.step * x[PLACES + i];
    #pragma unroll
    for (int i = 0; i < PLACES; ++i)
        #pragma unroll
        for (int j = 0; j < STATES; ++j)
            P(i, j) += by.step * P(PLACES + i, j);
    #pragma unroll
    for (int i = 0; i < STATES; ++i)
        #pragma unroll
        for (int j = 0; j < PLACES; ++j)
            P(i, j) += by.step * P(i, PLACES + j);
    #pragma unroll
    for (int i = 0; i < STATES; ++i)
        P(i, i) += by.drift;
}

// The inverse of a symmetric 3 × 3 matrix, by its adjugate.
static inline void invert(const float *s, float *inverse)
{
    const float a = s[4] * s[8] - s[5] * s[5], b = s[2] * s[5] - s[1] * s[8], c = s[1] * s[5] - s[2] * s[4];
    const float scale = 1.0f / (s[0] * a + s[1] * b + s[2] * c);
    inverse[0] = scale * a;
    inverse[1] = inverse[3] = scale * b;
    inverse[2] = inverse[6] = scale * c;
    inverse[4] = scale * (s[0] * s[8] - s[2] * s[2]);
    inverse[5] = inverse[7] = scale * (s[1] * s[2] - s[0] * s[5]);
    inverse[8] = scale * (s[0] * s[4] - s[1] * s[1]);
}

static inline void correct(float *x, float *p, const float *seen, float noise)
{
    float sum[PLACES * PLACES], inverse[PLACES * PLACES], apart[PLACES];
    float across[PLACES * STATES]; // how places and states vary together
    #pragma unroll
    for (int i = 0; i < PLACES; ++i) {
        apart[i] = seen[i] - x[i];
        #pragma unroll
        for (int j = 0; j < PLACES; ++j)
            sum[i * PLACES + j] = P(i, j) + (i == j ? noise : 0.0f);
        #pragma unroll
        for (int j = 0; j < STATES; ++j)
            across[i * STATES + j] = P(i, j);
    }
    invert(sum, inverse);
    #pragma unroll
    for (int i = 0; i < STATES; ++i) {
        float gain[PLACES];
        #pragma unroll
        for (int j = 0; j < PLACES; ++j) {
            gain[j] = 0.0f;
            #pragma unroll
            for (int k = 0; k < PLACES; ++k)
                gain[j] += across[k * STATES + i] * inverse[k * PLACES + j];
            x[i] += gain[j] * apart[j];
        }
        #pragma unroll
        for (int j = 0; j < STATES; ++j)
            #pragma unroll
            for (int k = 0; k < PLACES; ++k)
                P(i, j) -= gain[k] * across[k * STATES + j];
    }
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void kalman_tracks(__global track *tracks, __global const float4 *seen, tuning by, int number, int steps)
{
    const int i = get_global_id(0);
    if (i >= number)
        return;

    float x[STATES], p[STATES * STATES];
    #pragma unroll
    for (int k = 0; k < STATES; ++k)
        x[k] = tracks[i].state[k];
    #pragma unroll
    for (int k = 0; k < STATES * STATES; ++k)
        p[k] = tracks[i].covariance[k];

    for (int step = 0; step < steps; ++step) {
        predict(x, p, by);
        const float4 now = seen[step * number + i];
        if (now.w >= by.missed) {
            const float places[PLACES] = {now.x, now.y, now.z};
            correct(x, p, places, by.noise);
        }
    }

    #pragma unroll
    for (int k = 0; k < STATES; ++k)
        tracks[i].state[k] = x[k];
    #pragma unroll
    for (int k = 0; k < STATES * STATES; ++k)
        tracks[i].covariance[k] = p[k];
}
