"""What agents have measured of the suite on real devices (data/): every kernel and variant at its smallest size."""

import datetime
import json
import pathlib
import random
import statistics
import subprocess

from ledger import uuid7

DATA = pathlib.Path(__file__).parents[2] / "data"
FILES = ["nvidia-h200", "amd-epyc-pocl", "amd-epyc-intel", "intel-xeon-pocl"]
# Each measurement of a workload is a little different: so many there are, and so far they are apart.
VERSIONS, NOISE = 8, 0.02
# Of collector/src/client/upload: samples of a batch; its 8 MiB are more than these take.
BATCH = 500
# Between two workloads of an agent.
PAUSE = datetime.timedelta(seconds=5)


class Measured:
    """A device's suite."""

    def __init__(self, name):
        lines = subprocess.run(["zstd", "-dc", DATA / f"{name}.jsonl.zst"], stdout=subprocess.PIPE, check=True).stdout
        lines = [json.loads(line) for line in lines.splitlines()]
        self.device = lines[0]["device"]
        self.ceilings = next(without_names(line) for line in lines if "ceilings" in line)
        smallest = {}
        for line in lines:
            workload = line.get("workload", {"family": "microbenchmark"})
            if workload["family"] != "microbenchmark":
                key = workload["kernel"], workload["variant"]
                smallest[key] = min(smallest.get(key, line), line, key=median)
        # What a dashboard asks for to forecast a sample: all that was counted.
        self.counters = [{provider: reading["counters"] for provider, reading in sample["readings"].items()
                          if reading.get("counters")} for sample in smallest.values()]
        self.samples = [[again(sample) for _ in range(VERSIONS)] for sample in smallest.values()]

    def batches(self, agent, every=1):
        """An agent's, of every so many workloads, each as the ids of its samples and its JSON in pieces."""
        chosen = [random.choice(versions) for versions in self.samples[::every]]
        ids = [uuid7(random.getrandbits(62)) for _ in chosen]
        measured_at = datetime.datetime.now(datetime.UTC) - len(chosen) * PAUSE
        heads = [head(name, measured_at + at * PAUSE, agent) for at, name in enumerate(ids)]
        for start in range(0, len(ids), BATCH):
            pieces = [b'{"samples":[']
            for place in range(start, min(start + BATCH, len(ids))):
                pieces += [b"," * (place > start) + heads[place], chosen[place]]
            yield ids[start:start + BATCH], [*pieces, b"]}"]

    def own_ceilings(self, agent):
        """An agent's, in pieces."""
        return [head(uuid7(random.getrandbits(62)), datetime.datetime.now(datetime.UTC), agent), self.ceilings]


def median(sample):
    return statistics.median(sample["times"]["repetitions_s"])


def again(sample):
    """Measured once more: all but who, and when."""
    off = random.uniform(1 - NOISE, 1 + NOISE)
    times = {name: [time * off for time in value] if name.endswith("repetitions_s") else value
             for name, value in sample["times"].items()}
    return without_names(sample | {"times": times})


def without_names(line):
    kept = {name: value for name, value in line.items() if name not in ("id", "measured_at", "agent", "origin")}
    return json.dumps(kept).encode()[1:]


def head(name, measured_at, agent):
    names = {"id": name, "measured_at": measured_at.isoformat(), "agent": {"name": agent, "version": "0.3.0"}}
    return json.dumps(names).encode()[:-1] + b","
