// A pair of a stretch: how many runs begin in it, and what its values come to from where the last one begins. `operation` is
// of values; what is reduced and scanned are pairs, of which `joined` makes one.

#ifndef VALUE // by itself, as a kernel that is measured and forecast
#define VALUE uint
#define CAPTURED
#define PASSED
VALUE operation(VALUE a, VALUE b) { return a + b; }
#endif

typedef struct {
    uint runs;
    VALUE value;
} stream_pair;

stream_pair joined(stream_pair a, stream_pair b CAPTURED) {
    stream_pair both;
    both.runs = a.runs + b.runs;
    both.value = b.runs ? b.value : operation(a.value, b.value PASSED);
    return both;
}

#define T stream_pair
#define operation joined
#ifndef DIRECT
#define DIRECT
#endif
