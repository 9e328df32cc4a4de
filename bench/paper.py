"""The programs of Kamiya, Maruyama, Ohno (2013): time with local memory, as `kerncast localize` writes it by the paper's
rule and by ours, in per cent of the plain one's, as the paper's tables have it.

    python3 bench/paper.py BINARY make DIR              rewrite (clang, PoCL and Oclgrind); where neither is, carry DIR
    python3 bench/paper.py BINARY measure DIR [DEVICE]  time the folders of DIR, and print the table

Of diffusion the time is that of all 1000 launches.
"""

import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

PROGRAMS = ["examples/paper/diffusion_1d", "examples/paper/counting_histogram", "kernels/matmul_float"]
RULES = ["paper", "shared"]


def make(binary, folder):
    for rule in RULES:
        for program in map(pathlib.Path, PROGRAMS):
            own = folder / rule / program.name
            shutil.rmtree(own, ignore_errors=True)
            shutil.copytree(program, own)
            command = [binary, "localize", str(own), "--rule", rule, "--write", "--json"]
            ran = subprocess.run(command, capture_output=True, text=True)
            if ran.returncode == 0:
                placed = ", ".join(f"{it['array']} ({it['mechanism']})" for it in json.loads(ran.stdout)["placed"])
                print(f"{program.name}, --rule {rule}: {placed}")
            else:
                print(f"{program.name}, --rule {rule}: exit status {ran.returncode} {ran.stdout}{ran.stderr}")


def measure(binary, folder, device):
    rows = {}
    for rule in RULES:
        with tempfile.TemporaryDirectory() as spool:
            command = [binary, "run", "--kernels", str(folder / rule), "--provider", "launch", "--no-upload", "--no-ceilings",
                        "--no-microbenchmark"]
            command += ["--variant", "global", "--variant", "local_generated"]
            command += ["--device", device] if device else []
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=dict(os.environ, KERNCAST_SPOOL=spool))
            for path in pathlib.Path(spool).rglob("*.json"):
                sample = json.loads(path.read_text())
                if "workload" not in sample:
                    continue
                workload = sample["workload"]
                sizes = " ".join(f"{name}={number}" for name, number in sorted(workload["parameters"].items()))
                time = statistics.median(sample["times"]["repetitions_s"])
                row = rows.setdefault((workload["kernel"], time_order(workload["parameters"]), sizes), {})
                row[rule, workload["variant"]] = time
                row["device"] = sample["device"]["name"]
    devices = {row["device"] for row in rows.values()}
    print(f"{', '.join(devices)}: per cent of the plain time")
    print(f"{'':44} {'plain':>11} {'paper':>8} {'ours':>8}")
    for (kernel, _, sizes), row in sorted(rows.items()):
        plain = row.get(("shared", "global"))
        cells = []
        for rule in RULES:
            before, after = row.get((rule, "global")), row.get((rule, "local_generated"))
            cells.append(f"{100 * after / before:.1f} %" if before and after else "-")
        print(f"{kernel + ' ' + sizes:44} {(plain or 0) * 1e3:>8.3f} ms {cells[0]:>8} {cells[1]:>8}")


def time_order(parameters):
    product = 1
    for number in parameters.values():
        product *= number
    return product


binary, task, folder = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
if task == "make":
    make(binary, folder)
else:
    measure(binary, folder, sys.argv[4] if len(sys.argv) > 4 else None)
