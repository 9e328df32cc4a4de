"""What `kerncast localize` makes, beside what people wrote, on an H200; and whether a forecast from the source alone,
by fits that have seen no variant of the kernel, says rightly which to keep.

Called by scripts/bench with the collector's binary. The times were measured before (data/README.md).
"""

import json
import math
import statistics
import subprocess
import sys

BINARY = sys.argv[1]
MEASURED = "data/localized/nvidia-h200.jsonl.zst"
LEARNED = ["data/nvidia-h200.jsonl.zst", "data/nvidia-h200-generated.jsonl.zst"]
# A difference below a tenth is not clear.
CLEAR = 1 / 0.9


def mean(ratios):
    return math.exp(statistics.fmean(map(math.log, ratios)))


def share(holds):
    return f"{100 * sum(holds) / len(holds):.0f} %"


def read(path):
    return subprocess.run(["zstd", "-dc", path], check=True, capture_output=True, text=True).stdout.splitlines()


def workload_key(workload):
    return workload["kernel"], tuple(sorted(workload["parameters"].items()))


lines = read(MEASURED)
workloads, samples = {}, {}
for sample in map(json.loads, lines):
    workload = sample["workload"]
    key = workload_key(workload)
    time = statistics.median(sample["times"]["repetitions_s"])
    workloads.setdefault(key, {})[workload["variant"]] = time
    samples[sample["id"]] = key, workload["variant"]
localized = {key: times for key, times in workloads.items() if {"global", "local_generated"} <= times.keys()}

# The longest size of each kernel.
largest = {}
for (kernel, _), times in localized.items():
    if kernel not in largest or times["global"] > largest[kernel]["global"]:
        largest[kernel] = times
beside = sorted(times["local_generated"] / times["local"] for times in largest.values() if "local" in times)
print(f"localize, H200: {len(largest)} kernels at their largest size: generated ÷ written by hand, {len(beside)} of them: "
      f"median {statistics.median(beside):.2f}, at most 1.25 {share([it <= 1.25 for it in beside])}")

command = [BINARY, "evaluate", *LEARNED, MEASURED, "--device", "NVIDIA H200", "--provider", "analysis", "--method",
           "waves_forest", "--json"]
comparisons = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
[method] = next(it for it in comparisons if it["response"] == "time")["methods"]
forecasts = {}
for forecast in method["forecasts"]:
    if forecast["sample"] in samples and "forecast" in forecast:
        key, variant = samples[forecast["sample"]]
        forecasts.setdefault(key, {})[variant] = forecast["forecast"]

for name, least in ("all", 0.0), ("from 100 µs", 1e-4):
    choice, always, never, right = [], [], [], []
    for key, said in forecasts.items():
        if key not in localized or not {"global", "local_generated"} <= said.keys():
            continue
        without, with_local = localized[key]["global"], localized[key]["local_generated"]
        if without < least:
            continue
        best, keeps = min(without, with_local), said["local_generated"] < said["global"]
        choice.append((with_local if keeps else without) / best)
        always.append(with_local / best)
        never.append(without / best)
        if max(without, with_local) > CLEAR * best:
            right.append(keeps == (with_local < without))
    print(f"  keep or drop, {name}: {len(choice)} workloads, right for {share(right)} of {len(right)} clear ones; time of what "
          f"is kept ÷ the better: {mean(choice):.3f} (always {mean(always):.3f}, never {mean(never):.3f}; worst {max(choice):.2f})")

# In the order of their forecasts. The usual form has all arrays that pay.
with open("data/localized/candidates-h100.json") as file:
    tuned = json.load(file)["kernels"]
first, of_three, usual, count = [], [], [], 0
for kernel in tuned:
    candidates = kernel["candidates"]
    times = [it["measured_s"] for it in candidates]
    most = max(len(it["arrays"]) for it in candidates)
    [by_rule] = [
        it["measured_s"]
        for it in candidates
        if len(it["arrays"]) == most and it["work_group"] is it["strip"] is it["padding"] is None and not it["is_double"]
    ]
    count += len(times)
    first.append(times[0] / min(times))
    # --tune takes one of several candidates with the same forecast.
    by_forecast = {it["forecast_s"]: it["measured_s"] for it in reversed(candidates)}
    of_three.append(min(by_forecast[forecast] for forecast in sorted(by_forecast)[:3]) / min(times))
    usual.append(by_rule / min(times))
print(f"  candidates, H100: {len(tuned)} kernels, {count} candidates; time ÷ the best of all: best of the first three "
      f"{mean(of_three):.3f} (worst {max(of_three):.3f}), the first {mean(first):.3f} (worst {max(first):.3f}), the usual "
      f"form {mean(usual):.3f} (worst {max(usual):.3f})")
