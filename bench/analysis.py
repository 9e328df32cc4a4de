"""What the source alone tells beside Oclgrind, which simulates every work-item: the same launches, counted by both.

Called by scripts/bench with the collector's binary and a folder.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]) / "analysis"
KERNELS = ["attention", "black_scholes", "histogram", "matmul_float", "median_filter", "n_body", "scan_blocks", "transpose"]
REPEATS = 3


def kerncast(*arguments, spool=None):
    environment = dict(os.environ, XDG_CACHE_HOME=str(FOLDER / "cache"), OCL_ICD_VENDORS="/etc/OpenCL/vendors/pocl.icd")
    if spool:
        environment["KERNCAST_SPOOL"] = str(spool)
    return subprocess.run([BINARY, *arguments], check=True, capture_output=True, text=True, env=environment)


def seconds(*arguments, spool=None):
    start = time.perf_counter()
    kerncast(*arguments, spool=spool)
    return time.perf_counter() - start


shutil.rmtree(FOLDER, ignore_errors=True)
FOLDER.mkdir(parents=True)
kernels = [kernel for kernel in KERNELS if pathlib.Path("kernels", kernel).is_dir()]
options = [option for kernel in kernels for option in ("--kernel", kernel)]
run = ["run", "--no-upload", "--no-ceilings", "--no-microbenchmark", "--first-sizes", "1", "--variant", "global",
       "--timing", "1ms", "--count-limit", "600s", *options]


def counting(provider):
    """Seconds a launch beyond those that timing it alone takes, compilers and processes included."""
    times = []
    for providers in [("launch",), ("launch", provider)]:
        spool = FOLDER / "spool"
        shutil.rmtree(spool, ignore_errors=True)
        shutil.rmtree(FOLDER / "cache", ignore_errors=True)
        named = [option for it in providers for option in ("--provider", it)]
        times.append(seconds(*run, *named, spool=spool) / len(kernels))
    return times[1] - times[0]


simulated, analysis = [], []
for _ in range(REPEATS):
    simulated.append(counting("oclgrind"))
    analysis.append(counting("analysis"))
simulated, analysis = statistics.median(simulated), statistics.median(analysis)
print(f"\nFrom source alone: launches of {len(kernels)} kernels at their smallest sizes, medians of {REPEATS}")
print(f"  simulated by Oclgrind   {simulated:8.3f} s a launch")
print(f"  analysed for a GPU      {analysis:8.3f} s a launch, {simulated / analysis:.1f} times as fast")
whole = pathlib.Path("kernels")
start = time.perf_counter()
names = sorted(path.name for path in whole.iterdir() if path.is_dir())
answers = json.loads(kerncast("analyse", *names, "--json").stdout)
elapsed = time.perf_counter() - start
print(f"  accesses of the whole suite, {len(answers)} variants at their largest sizes: {elapsed:.0f} s (target: 300)")

# What the analysis counts beside what Nsight Compute does: the shipped samples of the suite on an H200.
COUNTED = {
    "requests of global loads": ("global_load_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"),
    "requests of global stores": ("global_store_requests", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"),
    "sectors of global loads": ("global_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"),
    "sectors of global stores": ("global_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
    "loads of local memory": ("local_loads", "smsp__sass_inst_executed_op_shared_ld.sum"),
    "passes of local loads": (
        "local_load_passes", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"),
    "passes of local stores": (
        "local_store_passes", "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum"),
    "sectors of private loads": ("private_load_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum"),
    "sectors of private stores": ("private_store_sectors", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"),
    "warps' instructions": ("instructions", "smsp__inst_executed.sum"),
    "L1's passes": ("l1_passes", "l1tex__data_pipe_lsu_wavefronts.sum"),
    "sectors that L1 misses": ("global_load_misses", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_miss.sum"),
    "sectors read from L2": ("l2_read_sectors", "lts__t_sectors_op_read.sum"),
    "sectors written to L2": ("l2_write_sectors", "lts__t_sectors_op_write.sum"),
    "sectors read from DRAM": ("dram_read_sectors", "dram__sectors_read.sum"),
    "sectors written to DRAM": ("dram_write_sectors", "dram__sectors_write.sum"),
}
# If both count less, it does not matter to the time; ncu counts up to 80,000 sectors of DRAM that nobody stored.
LEAST = {"sectors written to DRAM": 100_000}
shipped = subprocess.run(["zstd", "-dc", "data/nvidia-h200.jsonl.zst"], check=True, capture_output=True, text=True)
both = []
for line in shipped.stdout.splitlines():
    readings = json.loads(line).get("readings", {})
    ours, ncu = (readings.get(provider, {}).get("counters") for provider in ("analysis", "ncu"))
    if ours and ncu:
        both.append((ours, ncu))
print(f"  a GPU's counters from the source beside ncu's, of {len(both)} workloads: the larger over the smaller")
print(f"    {'':28}{'workloads':>10}{'median':>9}{'90 in 100':>11}")
for title, (own, name) in COUNTED.items():
    pairs = [(ours[own], ncu.get(name, 0.0)) for ours, ncu in both]
    pairs = [pair for pair in pairs if max(pair) >= LEAST.get(title, 20_000)]
    # A hundred more of each, so that nothing is divided by 0.
    ratios = sorted((max(pair) + 100) / (min(pair) + 100) for pair in pairs)
    if ratios:
        print(f"    {title:28}{len(ratios):10}{statistics.median(ratios):9.3f}{ratios[9 * len(ratios) // 10]:11.2f}")
