"""What was sent, what the servers said of it, and what is there at the end."""

import collections
import random
import threading
import time
import uuid

KERNELS, SIZES, DEVICES = 8, 8, 2


def uuid7(number):
    """An id of this moment, with a number below 2⁶²."""
    milliseconds = int(time.time() * 1000)
    return str(uuid.UUID(int=milliseconds << 80 | 7 << 76 | 2 << 62 | number))


class Ledger:
    """Every sample that anybody made, and the verdicts on it."""

    def __init__(self, seed):
        self.lock = threading.Lock()
        self.random = random.Random(seed)
        self.made = 0
        self.acknowledged = set()
        self.stored = set()
        self.stored_twice = set()
        self.verdicts = collections.Counter()
        self.answers = collections.Counter()
        self.complaints = []

    def sample(self, agent):
        """A sample that could be real; no two are the same."""
        with self.lock:
            self.made += 1
            number, noise = self.made, self.random.uniform(0.98, 1.02)
        kernel, size = number % KERNELS, number // KERNELS % SIZES
        device = number // KERNELS // SIZES % DEVICES
        loads, stores = 1000 * (size + 1) * (kernel + 3), 10 * (size * size + kernel + 1)
        median = noise * (device + 1) * (1e-3 + 1e-6 * loads + 3e-6 * stores)
        return {
            "id": uuid7(number),
            "measured_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "agent": {"name": agent, "version": "chaos"},
            "device": {"vendor": "Chaos", "name": f"Device {device}", "kind": "cpu", "compute_units": 8},
            "workload": {
                "kernel": f"kernel_{kernel}", "variant": "local" if size % 2 else "global", "parameters": {"n": size}},
            "times": {"repetitions_s": [median, median * 1.01, median * 0.99 + 1e-9 * number]},
            "readings": {"oclgrind": {"counters": {"load_global": loads, "store_global": stores}}},
        }

    def verdict(self, sample_id, verdict):
        """Whether the server has it."""
        with self.lock:
            self.verdicts[verdict] += 1
            if verdict == "rejected":
                return False
            self.acknowledged.add(sample_id)
            if verdict == "stored":
                if sample_id in self.stored:
                    self.stored_twice.add(sample_id)
                self.stored.add(sample_id)
            return True

    def gone_from_spool(self, sample_id):
        with self.lock:
            self.verdicts["gone from a spool"] += 1
            self.acknowledged.add(sample_id)

    def answer(self, status):
        with self.lock:
            self.answers[status] += 1

    def complain(self, what):
        """Something that must not be."""
        with self.lock:
            self.complaints.append(what)
        print(f"WRONG: {what}", flush=True)

    def judge(self, rows):
        """Acknowledged samples that are not among the rows (id, content hash), and those there twice."""
        ids = collections.Counter(row[0] for row in rows)
        contents = collections.Counter(row[1] for row in rows)
        lost = self.acknowledged - set(ids)
        doubled = {name for name, count in [*ids.items(), *contents.items()] if count > 1} | self.stored_twice
        return lost, doubled
