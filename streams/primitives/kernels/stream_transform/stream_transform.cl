// Each element of the output from those of the inputs at its place. INPUTS and LOADS are the inputs' parameters and
// elements (streams/primitives/src/steps/sources.rs).

#ifndef INPUTS // by itself, as a kernel that is measured and forecast
#define OUT uint
#define INPUTS global const uint *in_x,
#define LOADS in_x[at],
uint operation(uint x, ulong i) { return 7 * x; }
#endif

kernel void stream_transform(INPUTS global OUT *out, ulong first, ulong n) {
    ulong at = get_global_id(0);
    if (at < n)
        out[at] = operation(LOADS first + at);
}
