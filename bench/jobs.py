"""Many agents upload at once what a few devices have measured: how many fitting jobs wait then, and how long it takes until all
fits are done. Samples are those that come with Kerncast, under new ids, each agent's times by up to 1 % others.

python3 bench/jobs.py BINARY FOLDER [AGENTS [SAMPLES [SECONDS]]]     SAMPLES: of each of two devices, an agent; SECONDS: wait no
longer for fits
"""

import collections
import json
import pathlib
import random
import subprocess
import sys
import threading
import time
import uuid

from throwaway import server

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
AGENTS, SAMPLES, MOST_S = (int(it) for it in (sys.argv[3:] + ["20", "120", "1500"][len(sys.argv) - 3:]))
DATA = pathlib.Path(__file__).parent.parent / "data"
A_BATCH = 40
# Agents that are at it at the same moment.
AT_ONCE = 8


def shipped(name):
    lines = subprocess.run(["zstd", "-dc", DATA / f"{name}.jsonl.zst"], check=True, capture_output=True).stdout.splitlines()
    # Ceilings are in the files too.
    samples = [it for it in map(json.loads, lines) if "times" in it]
    return samples[::max(1, len(samples) // SAMPLES)][:SAMPLES]


def of_agent(number, samples):
    drawn = random.Random(number)
    for sample in samples:
        factor = drawn.uniform(0.99, 1.01)
        times = [factor * it for it in sample["times"]["repetitions_s"]]
        yield sample | {"id": str(uuid.UUID(int=drawn.getrandbits(128), version=4)), "origin": "measured",
                        "agent": {"name": f"lab-{number}", "version": "1"}, "times": {"repetitions_s": times}}


def upload(kerncast, samples, numbers):
    while True:
        try:
            number = numbers.popleft()
        except IndexError:
            return
        mine = list(of_agent(number, samples))
        for at in range(0, len(mine), A_BATCH):
            body = json.dumps({"samples": mine[at:at + A_BATCH]})
            kerncast.request("POST", "/v1/samples", body, kerncast.upload_headers)


def main():
    samples = shipped("nvidia-h200") + shipped("amd-epyc-pocl")
    numbers = collections.deque(range(AGENTS))
    with server(BINARY, FOLDER / "jobs") as kerncast:
        start = time.perf_counter()
        threads = [threading.Thread(target=upload, args=(kerncast, samples, numbers)) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        most = 0
        rows = lambda: int(kerncast.psql("SELECT count(*) FROM fitting_jobs"))
        while any(thread.is_alive() for thread in threads):
            most = max(most, rows())
            time.sleep(0.5)
        uploaded = time.perf_counter()
        stored = kerncast.psql("SELECT count(*) FROM samples")
        most = max(most, rows())
        while rows() and time.perf_counter() < uploaded + MOST_S:
            time.sleep(0.5)
        fitted, left = time.perf_counter(), rows()
        jobs = [line for line in kerncast.request("GET", "/metrics").decode().splitlines()
                if line.startswith("kerncast_fits_total")]
    print(f"{AGENTS} agents, {len(samples)} samples of two devices each: {stored} samples stored in {uploaded - start:.1f} s")
    print(f"  rows of fitting jobs: {most} at most; {left} left")
    done = "fits still not done" if left else "all fits done"
    print(f"  {done} {fitted - uploaded:.1f} s after the last upload")
    for line in jobs:
        print(f"  {line}")


main()
