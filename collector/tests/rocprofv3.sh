#!/bin/sh
# Stands in for rocprofv3, which needs an AMD GPU: runs the program that it is given, and writes
# captured rows with the names of the functions that were launched and of the counters asked for.
if [ "$1" = --version ]; then
    printf '             version: 1.0.0\n        rocm_version: 7.0.2\n'
    exit
fi
shift # --pmc
counters=
while [ "$1" != --kernel-trace ]; do counters="$counters $1"; shift; done
while [ "$1" != -- ]; do
    case $1 in
    -d) folder=$2 ;;
    -o) name=$2 ;;
    esac
    shift
done
shift 2 # -- and the test's own program: it is no kerncast
echo $counters >>'@ASKED@'

# Each quirk of a test changes some of these.
unknown=none schema=new launches=1 waves='16384 16384'
exceeds() {
    echo 'F1 tool.cpp: Could not construct profile cfg failed with error code 38: Request exceeds the' \
        'capabilities of the hardware to collect' >&2
    kill -ABRT $$
}
@QUIRK@

'@KERNCAST@' "$@" || exit
mkdir -p "$folder"
out="$folder/${name}_counter_collection.csv"
captured='@CAPTURED@'
case $schema in
new) file=rocprofiler-sdk_docs_counter_collection.csv ;;
older) file=rocprofv3_jacobi_counter_collection_olderschema.csv ;;
zeros) cp "$captured/rocprofv3_issue57_gfx1100_zero_counters.csv" "$out"; exit ;;
foreign) printf 'Dispatch,Kernel\n1,scale\n' >"$out"; exit ;;
header) head -n 1 "$captured/rocprofiler-sdk_docs_counter_collection.csv" >"$out"; exit ;;
none) echo 'W1 tool.cpp: nothing to write' >&2; exit ;;
esac
trace="$folder/${name}_kernel_trace.csv"
head -n 1 "$captured/$file" >"$out"
head -n 1 "$captured/rocprofiler-sdk_docs_kernel_trace_truncated.csv" >"$trace"
dispatch=0
for variant in $(grep -o '"variant":"[a-z]*"' "$2" | cut -d'"' -f4); do
    for launch in $(seq $launches); do
        dispatch=$((dispatch + 1))
        for counter in $counters; do
            case $counter in
            $unknown) continue ;;
            SQ_WAVES) value=$(echo $waves | cut -d' ' -f$dispatch) ;;
            *) value=$((dispatch * 1000 + ${#counter})) ;;
            esac
            # Of the captured row, only the numbers and names that say what it is of.
            sed -n 3p "$captured/$file" | sed -E "s/^2,2,/$dispatch,$dispatch,/
                s/\"(subtract_kernel\([^\"]*|NormKernel1)\"/\"scale_$variant\"/
                s/\"(SQ_WAVES|OccupancyPercent)\",[0-9.]+/\"$counter\",$value/" >>"$out"
        done
        sed -n 2p "$captured/rocprofiler-sdk_docs_kernel_trace_truncated.csv" |
            sed "s/855217,1,10,\"addition_kernel\"/855217,$dispatch,10,\"scale_$variant\"/" >>"$trace"
    done
done
