"""A device that has measured for years: how long a fit takes to choose its samples, and the gate to find what was counted
before, beside the same by going through all samples, as both did before the newest of each list of counters was kept.

python3 bench/newest.py BINARY FOLDER
"""

import pathlib
import statistics
import sys

import grown
from throwaway import server

BINARY, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
NIGHTS, REPEATS = (100, 1000), 5
DEVICE = "(SELECT min(id) FROM devices)"
# As in server/src/db/training.rs and server/src/db/history.rs, of all workloads.
KEPT = {
    "a fit's samples": f"""
        SELECT count(*), max(newest.id::text)
        FROM counted_series AS kept CROSS JOIN LATERAL newest_trusted(kept, '{{}}') AS newest
        WHERE kept.device_id = {DEVICE} AND kept.provider = 'ncu'""",
    "the gate's": f"""
        SELECT count(*), max(id::text)
        FROM (
            SELECT DISTINCT workload_id, newest.id
            FROM counted_series AS kept CROSS JOIN LATERAL newest_trusted(kept, '{{}}') AS newest
            WHERE kept.device_id = {DEVICE}
        ) AS newest""",
}
# As they were.
ALL = {
    "a fit's samples": f"""
        SELECT count(*), max(id::text)
        FROM (
            SELECT DISTINCT ON (workload_id, list_id) id
            FROM trusted_samples JOIN readings ON sample_id = id AND provider = 'ncu' AND refusal IS NULL
            WHERE device_id = {DEVICE}
            ORDER BY workload_id, list_id, measured_at DESC, id DESC
        ) AS newest""",
    "the gate's": f"""
        SELECT count(*), max(id::text)
        FROM (
            SELECT DISTINCT ON (workload_id, lists) trusted_samples.id
            FROM trusted_samples
            CROSS JOIN LATERAL (
                SELECT array_agg(list_id ORDER BY provider) AS lists
                FROM readings WHERE sample_id = trusted_samples.id AND refusal IS NULL
            ) AS counted
            WHERE device_id = {DEVICE} AND lists IS NOT NULL
            ORDER BY workload_id, lists, measured_at DESC, trusted_samples.id DESC
        ) AS newest""",
}

# A night by a newer provider, whose list has one counter less, which nobody has judged yet: it is taken back.
NEW_LIST = """
BEGIN;
ALTER TABLE samples ENABLE TRIGGER await_judgement;
INSERT INTO counter_lists (list, counter_ids)
SELECT sha256(array_send(counter_ids[2:])), counter_ids[2:] FROM counter_lists WHERE cardinality(counter_ids) > 50;
UPDATE bench_counted SET values = values[2:], list_id = (SELECT max(id) FROM counter_lists) WHERE provider = 'ncu';
{night}
\\timing on
{query};
\\timing off
ROLLBACK;
"""


def timed(kerncast, command):
    """What is selected, and the milliseconds that each statement took of those that psql has timed."""
    lines = kerncast.psql(command).splitlines()
    return [line for line in lines if not line.startswith("Time: ")], [
        float(line.split()[1]) for line in lines if line.startswith("Time: ")]


def median(kerncast, query):
    """Milliseconds, and what it answers."""
    answer, times = timed(kerncast, "\\timing on\n" + f"{query};\n" * (1 + REPEATS))
    return statistics.median(times[1:]), answer[0]


def main():
    with server(BINARY, FOLDER / "newest") as kerncast:
        kerncast.psql(grown.LAB)
        # Nobody judges what is written here.
        kerncast.psql(f"DELETE FROM bench_runs WHERE device_id <> {DEVICE}; ALTER TABLE samples DISABLE TRIGGER await_judgement")
        print(f"one device, 500 workloads, two lists of counters each; medians of {REPEATS}")
        done = 0
        for nights in NIGHTS:
            grown.grow(kerncast, range(done + 1, nights + 1))
            done = nights
            kerncast.psql("VACUUM ANALYZE")
            for what, kept in KEPT.items():
                (since, found), (before, expected) = median(kerncast, kept), median(kerncast, ALL[what])
                if found != expected:
                    sys.exit(f"{what}: {found}, and among all samples {expected}")
                print(f"  {500 * nights:,} samples, {what}: {since:.1f} ms, among all samples {before:.0f} ms, ratio {since / before:.4f}", flush=True)
            night = grown.NIGHT.format(night=nights + 1)
            took = timed(kerncast, NEW_LIST.format(night=night, query=KEPT["the gate's"]))[1][0]
            print(f"  the gate's, after a night with a new list: {took:.1f} ms", flush=True)


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    main()
