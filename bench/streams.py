"""Streams through the first device beside one core (also numpy) and all cores (rayon), in the same run, with ratios.

Usage: streams.py RATES [OPTION...]: the example `rates` of the crate primitives, and what it is given (--bytes 1GiB).
"""

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable

import numpy as np

PEERS = ["one core", "numpy", "rayon"]
# numpy takes its time: so much of an array says how fast it is.
MOST_BYTES = 1 << 28


def main(rates: str, options: list[str]) -> None:
    ran = subprocess.run([rates, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    machine = lines[0]
    print(f"streams: {machine['device']}, {machine['threads']} threads, {machine['bytes'] >> 20} MiB")
    speeds: dict[str, dict[str, float]] = defaultdict(dict)
    for line in lines:
        if line.get("GB_per_s") and "way" in line:
            speeds[line["what"]][line["way"]] = line["GB_per_s"]
    for what, bytes_per_s in numpy(min(machine["bytes"], MOST_BYTES)).items():
        if what in speeds:
            speeds[what]["numpy"] = bytes_per_s * 1e-9
    ways = [way for way in ("pageable", "pinned") if any(way in it for it in speeds.values())]
    print(f"{'GB/s of the input':18}" + "".join(f"{it:>10}" for it in [*ways, *PEERS]) + f"{'÷ one core':>12}{'÷ all cores':>13}")
    for what, by_way in speeds.items():
        cells = "".join(f"{by_way[it]:10.3f}" if it in by_way else f"{'':10}" for it in [*ways, *PEERS])
        of = [ratio(by_way, ways, peers) for peers in (["one core", "numpy"], ["rayon"])]
        print(f"{what:18}{cells}{of[0]:>12}{of[1]:>13}")


def numpy(size: int) -> dict[str, float]:
    """Bytes of the input a second, by numpy: the same works of the same types, medians of three."""
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 1 << 32, size // 4, dtype=np.uint32)
    floats = rng.random(size // 8) * 100
    # An index and as many values are the input.
    half = numbers[: len(numbers) // 2]
    index = rng.permutation(len(half)).astype(np.uint32)
    out, sums, to = np.empty_like(numbers), np.empty_like(numbers), np.empty_like(half)

    def scatter() -> None:
        to[index] = half

    works: dict[str, Callable[[], object]] = {
        "transform": lambda: np.multiply(numbers, np.uint32(7), out=out),
        "reduce": lambda: numbers.sum(dtype=np.uint32),
        "scan": lambda: np.cumsum(numbers, dtype=np.uint32, out=sums),
        "sort": lambda: np.sort(numbers),
        "scatter": scatter,
        "sine": lambda: np.sin(floats) ** 2 + np.cos(floats) ** 2,
    }
    return {what: size / took(work) for what, work in works.items()}


def took(work: Callable[[], object]) -> float:
    work()
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[1]


def ratio(by_way: dict[str, float], ways: list[str], peers: list[str]) -> str:
    """Our best way, as a share of the fastest of these peers."""
    ours = [by_way[it] for it in ways if it in by_way]
    theirs = [by_way[it] for it in peers if it in by_way]
    return f"{max(ours) / max(theirs):.2f}" if ours and theirs else ""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
