"""What mathematical functions cost on a device: kernels of 32 calls a work-item, and what was counted of them.

    python3 bench/functions.py write FOLDER       a kernel of each function in single and in double precision
    KERNCAST_SPOOL=SPOOL kerncast run --kernels FOLDER --no-upload --provider ncu --provider launch
    python3 bench/functions.py read SPOOL         a warp's instructions of a call, by pipe, and the cycles of its chain

The tables in analyser/analysis/src/gpu_counters/functions.rs are from an NVIDIA H200; `read` without ncu's counters
prints the time of a call beside that of `exp`, by which analyser/analysis/src/cpu_counters/functions.rs was made.
"""

import json
import pathlib
import statistics
import sys

CALLS = 32
ITEMS = {"gpu": 1 << 20, "cpu": 1 << 16}
# x is between 0.3 and 0.9; `s` is the sum so far and `j` the iteration, so that no compiler knows the values.
FUNCTIONS = {
    "acos": "acos(x)", "acosh": "acosh(x + 1)", "asin": "asin(x)", "asinh": "asinh(x)", "atan": "atan(x)",
    "atan2": "atan2(x, s + 1)", "atanh": "atanh(x)", "cbrt": "cbrt(x)", "cos": "cos(x)", "cosh": "cosh(x)",
    "cospi": "cospi(x)", "erf": "erf(x)", "erfc": "erfc(x)", "exp": "exp(x)", "exp10": "exp10(x)", "exp2": "exp2(x)",
    "expm1": "expm1(x)", "fmod": "fmod(x * 1000, (T)0.37)", "hypot": "hypot(x, (T)0.7)", "lgamma": "lgamma(x)",
    "log": "log(x)", "log10": "log10(x)", "log1p": "log1p(x)", "log2": "log2(x)", "pow": "pow(x, (T)1.37)",
    "pown": "pown(x, 3 + (j & 1))", "powr": "powr(x, (T)1.37)", "remainder": "remainder(x * 1000, (T)0.37)",
    "rootn": "rootn(x, 3 + (j & 1))", "rsqrt": "rsqrt(x)", "sin": "sin(x)", "sinh": "sinh(x)", "sinpi": "sinpi(x)",
    "sqrt": "sqrt(x)", "tan": "tan(x)", "tanh": "tanh(x)", "tgamma": "tgamma(x)",
    # The loop alone.
    "none": "x * x",
}  # fmt: skip
SOURCE = """#define T {type}
kernel void calls(global const T *in, global T *out) {{
    int i = get_global_id(0);
    T x = in[i], s = 0;
    for (int j = 0; j < {calls}; j++) {{
        s += {call};
        x = x * (T)0.99 + (T)0.003;
    }}
    out[i] = s;
}}
"""
LAUNCH = """title = "{name} in {type}"
family = "functions"
[[sizes]]
n = {gpu}
on = ["gpu"]
[[sizes]]
n = {cpu}
on = ["cpu"]
[[arguments]]
name = "in"
buffer = "{type}"
length = "n"
fill = {{ uniform = [0.3, 0.9] }}
[[arguments]]
name = "out"
buffer = "{type}"
length = "n"
access = "write"
[variants.global]
function = "calls"
global = ["n"]
local = ["256"]
[tolerance]
absolute = 1e-3
relative = 1e-2
"""
PIPES = ["fma", "alu", "xu", "fp64"]


def write(folder):
    for type in ("float", "double"):
        for name, call in FUNCTIONS.items():
            kernel = folder / f"{name}_{type}"
            kernel.mkdir(parents=True)
            source = SOURCE.format(type=type, call=call, calls=CALLS)
            (kernel / f"{kernel.name}.cl").write_text(source)
            (kernel / "launch.toml").write_text(LAUNCH.format(name=name, type=type, **ITEMS))


def read(spool):
    counters, times = {}, {}
    for path in spool.glob("*.json"):
        sample = json.loads(path.read_text())
        if "workload" in sample:
            name = tuple(sample["workload"]["kernel"].rsplit("_", 1))
            items = sample["workload"]["parameters"]["n"]
            times[name] = statistics.median(sample["times"]["repetitions_s"]) / (items * CALLS)
            if "ncu" in sample["readings"]:
                counters[name] = {of: count * 32 / (items * CALLS) for of, count in sample["readings"]["ncu"]["counters"].items()}
    for type in ("float", "double"):
        exp = times["exp", type] - times["none", type]
        for name in sorted(FUNCTIONS.keys() - {"none"}):
            line = f"{name + '(' + type + ')':18} {(times[name, type] - times['none', type]) / exp:6.2f} × exp"
            if (name, type) in counters:
                mine, loop = counters[name, type], counters["none", type]
                difference = lambda counter: mine[counter] - loop[counter]
                pipes = [difference(f"smsp__inst_executed_pipe_{pipe}.sum") for pipe in PIPES]
                other = difference("smsp__inst_executed.sum") - sum(pipes)
                named = zip([*PIPES, "other", "chain"], [*pipes, other, difference("sass_chain.fixed")])
                line += "".join(f"  {pipe} {count:.1f}" for pipe, count in named)
            print(line)


if __name__ == "__main__":
    {"write": write, "read": read}[sys.argv[1]](pathlib.Path(sys.argv[2]))
