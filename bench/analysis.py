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
known = [kernel for kernel in KERNELS if pathlib.Path("kernels", kernel).is_dir()]
chosen = [option for kernel in known for option in ("--kernel", kernel)]
run = ["run", "--no-upload", "--no-ceilings", "--no-microbenchmark", "--first-sizes", "1", "--variant", "global",
       "--timing", "1ms", "--count-limit", "600s", *chosen]


def counting(provider):
    """Seconds a launch beyond those that timing it alone takes, compilers and processes included."""
    taken = []
    for providers in [("launch",), ("launch", provider)]:
        spool = FOLDER / "spool"
        shutil.rmtree(spool, ignore_errors=True)
        shutil.rmtree(FOLDER / "cache", ignore_errors=True)
        named = [option for it in providers for option in ("--provider", it)]
        taken.append(seconds(*run, *named, spool=spool) / len(known))
    return taken[1] - taken[0]


simulated, foreseen = [], []
for _ in range(REPEATS):
    simulated.append(counting("oclgrind"))
    foreseen.append(counting("analysis"))
simulated, foreseen = statistics.median(simulated), statistics.median(foreseen)
print(f"\nFrom source alone: launches of {len(known)} kernels at their smallest sizes, medians of {REPEATS}")
print(f"  simulated by Oclgrind   {simulated:8.3f} s a launch")
print(f"  foreseen for a GPU      {foreseen:8.3f} s a launch, {simulated / foreseen:.1f} times as fast")
whole = pathlib.Path("kernels")
start = time.perf_counter()
names = sorted(path.name for path in whole.iterdir() if path.is_dir())
answers = json.loads(kerncast("analyse", *names, "--json").stdout)
elapsed = time.perf_counter() - start
print(f"  accesses of the whole suite, {len(answers)} variants at their largest sizes: {elapsed:.0f} s (target: 300)")
