"""Streams through the first device beside one core and all cores (rayon, rdst), in the same run, with ratios.

Usage: streams.py RATES [OPTION...]: the example `rates` of the crate primitives, and what it is given (--bytes 1GiB).
"""

import json
import subprocess
import sys
from collections import defaultdict

PEERS = ["one core", "rayon", "rdst"]


def main(rates: str, options: list[str]) -> None:
    ran = subprocess.run([rates, *options], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    machine = lines[0]
    print(f"streams: {', '.join(machine['devices'])}, {machine['threads']} threads, {machine['bytes'] >> 20} MiB")
    by_cores: set[str] = set()
    speeds: dict[str, dict[str, float]] = defaultdict(dict)
    for line in lines:
        if line.get("GB_per_s") and "way" in line:
            speeds[line["what"]][line["way"]] = line["GB_per_s"]
            if (line.get("report") or {}).get("by_cores"):
                by_cores.add(line["what"])
    ways = [way for way in ("pageable", "pinned") if any(way in it for it in speeds.values())]
    print(f"{'GB/s of the input':18}" + "".join(f"{it:>10}" for it in [*ways, *PEERS]) + f"{'÷ one core':>12}{'÷ all cores':>13}")
    for what, by_way in speeds.items():
        cells = "".join(f"{by_way[it]:10.3f}" if it in by_way else f"{'':10}" for it in [*ways, *PEERS])
        of = [ratio(by_way, ways, peers) for peers in (["one core"], ["rayon", "rdst"])]
        print(f"{what:18}{cells}{of[0]:>12}{of[1]:>13}{' by all cores' if what in by_cores else ''}")


def ratio(by_way: dict[str, float], ways: list[str], peers: list[str]) -> str:
    """Our best way, as a share of the fastest of these peers."""
    ours = [by_way[it] for it in ways if it in by_way]
    theirs = [by_way[it] for it in peers if it in by_way]
    return f"{max(ours) / max(theirs):.2f}" if ours and theirs else ""


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
