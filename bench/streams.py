"""Streams through the first device beside one core (also numpy) and all cores (rayon), in the same run, with ratios.

Usage: streams.py FORECASTS OPTION...: the example `forecasts` of the crate primitives, and what it is given
(--sizes-mib 1024).
"""

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable

import numpy as np

WIDTHS = {"u32": 4, "f32": 4, "f64": 8}
WAYS = ["mapped", "staged", "pinned", "file"]
PEERS = ["one core", "numpy", "all cores"]
# numpy is slow: an array of this length tells its speed.
MOST_BYTES = 1 << 28


def main(forecasts: str, options: list[str]) -> None:
    ran = subprocess.run([forecasts, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    measured = json.loads(ran.stdout)
    checks = measured["checks"]
    size = max(it["elements"] * WIDTHS[it["element"]] for it in checks)
    print(f"streams: {measured['rates']['device']}, {measured['rates']['threads']} threads, {size >> 20} MiB")
    speeds: dict[str, dict[str, float]] = defaultdict(dict)
    for check in checks:
        # The last of several lengths counts.
        speeds[check["work"]][check["by"]] = input_bytes(check) / check["measured_s"] * 1e-9
    for work, bytes_per_s in numpy(min(size, MOST_BYTES)).items():
        speeds[work]["numpy"] = bytes_per_s * 1e-9
    ways = [way for way in WAYS if any(way in it for it in speeds.values())]
    print(f"{'GB/s of the input':18}" + "".join(f"{it:>10}" for it in [*ways, *PEERS]) + f"{'÷ one core':>12}{'÷ all cores':>13}")
    for work, by in speeds.items():
        cells = "".join(f"{by[it]:10.3f}" if it in by else f"{'':10}" for it in [*ways, *PEERS])
        ratios = [ratio(by, ways, peers) for peers in (["one core", "numpy"], ["all cores"])]
        print(f"{work:18}{cells}{ratios[0]:>12}{ratios[1]:>13}")


def input_bytes(check: dict) -> int:
    # A scatter reads an index, too.
    width = WIDTHS[check["element"]] + (4 if check["work"] == "scatter" else 0)
    return check["elements"] * width


def numpy(size: int) -> dict[str, float]:
    """Bytes of the input a second, by numpy: the same works of the same types and lengths, medians of three."""
    rng = np.random.default_rng(1)
    numbers = rng.integers(0, 1 << 32, size // 4, dtype=np.uint32)
    floats = rng.random(size // 8) * 100
    index = rng.integers(0, len(numbers), len(numbers), dtype=np.uint32)
    out, sums, to = np.empty_like(numbers), np.empty_like(numbers), np.empty_like(numbers)

    def scatter() -> None:
        to[index] = numbers

    works: dict[str, Callable[[], object]] = {
        "transform": lambda: np.multiply(numbers, np.uint32(7), out=out),
        "reduce": lambda: numbers.sum(dtype=np.uint32),
        "scan": lambda: np.cumsum(numbers, dtype=np.uint32, out=sums),
        "sort": lambda: np.sort(numbers),
        "scatter": scatter,
        "sine": lambda: np.sin(floats) ** 2 + np.cos(floats) ** 2,
    }
    return {work: (2 if work == "scatter" else 1) * size / took(call) for work, call in works.items()}


def took(work: Callable[[], object]) -> float:
    work()
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return sorted(seconds)[1]


def ratio(by: dict[str, float], ways: list[str], peers: list[str]) -> str:
    """Our best way, as a share of the fastest of these peers."""
    ours = [by[it] for it in ways if it in by]
    theirs = [by[it] for it in peers if it in by]
    return f"{max(ours) / max(theirs):.2f}" if ours and theirs else ""


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
