// Each element of the output from those of the inputs at its place. INPUTS and LOADS are the inputs' parameters and
// elements, CAPTURED and PASSED the captured values' (primitives/src/operation.rs).

kernel void stream_transform(INPUTS global OUT *out, ulong first, ulong n CAPTURED) {
    ulong at = get_global_id(0);
    if (at < n)
        out[at] = operation(LOADS first + at PASSED);
}
