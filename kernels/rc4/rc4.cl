// Streams of the cipher RC4 (Rivest, 1987) with keys of KEY bytes. A work-item has a stream and its 256
// bytes of state, two of which change places for every byte that comes out; the same byte of neighbours'
// streams lies side by side.

#define KEY 16

// The state is private; which bytes change places is known at run time only.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void rc4_global(__global const uchar *keys, __global uchar *bytes, int length)
{
    const int stream = get_global_id(0);
    const int streams = get_global_size(0);

    uchar state[256];
    for (int i = 0; i < 256; ++i)
        state[i] = i;
    uchar j = 0;
    for (int i = 0; i < 256; ++i) {
        const uchar here = state[i];
        j += here + keys[stream * KEY + i % KEY];
        state[i] = state[j];
        state[j] = here;
    }
    j = 0;
    for (int n = 0; n < length; ++n) {
        const uchar i = n + 1;
        const uchar here = state[i];
        j += here;
        const uchar there = state[j];
        state[i] = there;
        state[j] = here;
        bytes[n * streams + stream] = state[(uchar)(here + there)];
    }
}

// The states lie in local memory, the same byte of neighbours' side by side.
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void rc4_local(__global const uchar *keys, __global uchar *bytes, int length)
{
    __local uchar states[256][GROUP];
    const int item = get_local_id(0);
    const int stream = get_global_id(0);
    const int streams = get_global_size(0);

    for (int i = 0; i < 256; ++i)
        states[i][item] = i;
    uchar j = 0;
    for (int i = 0; i < 256; ++i) {
        const uchar here = states[i][item];
        j += here + keys[stream * KEY + i % KEY];
        states[i][item] = states[j][item];
        states[j][item] = here;
    }
    j = 0;
    for (int n = 0; n < length; ++n) {
        const uchar i = n + 1;
        const uchar here = states[i][item];
        j += here;
        const uchar there = states[j][item];
        states[i][item] = there;
        states[j][item] = here;
        bytes[n * streams + stream] = states[(uchar)(here + there)][item];
    }
}
