"""What shards cost and give: the same samples uploaded to a server without shards, with one and with three, all databases
in one cluster of Postgres, whose time for each database Postgres itself counts.

scripts/with-postgres python3 bench/shards.py BINARY... ; a binary that knows no --shards is measured without.
"""

import contextlib
import http.client
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import uuid

from throwaway import Server, free_address, running

REPEATS, DEVICES, BATCH, BATCHES, COUNTERS = 3, 6, 250, 6, 124
# As many as a sample has on average that comes with Kerncast.
REPETITIONS = 211
KERNELS, SIZES = 12, 5
BASE = urllib.parse.urlsplit(os.environ["DATABASE_URL"])


def url(database):
    return urllib.parse.urlunsplit(BASE._replace(path="/" + database))


def psql(database, command):
    run = subprocess.run(["psql", "--quiet", "--no-align", "--tuples-only", "--no-psqlrc", "--set=ON_ERROR_STOP=1", url(database)],
                         input=command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(run.stderr)
    return run.stdout.strip()


def sample(device, kernel, size):
    work = float(4 ** size * (kernel + 3))
    counters = {f"counter_{number:03}.sum": work * (1 + (number * 7919 + kernel) % 97) for number in range(COUNTERS)}
    at = 1e-6 + 1e-12 * sum(counters.values()) / COUNTERS
    return {
        "id": str(uuid.UUID(int=(time.time_ns() // 1_000_000 << 80) | (7 << 76) | (2 << 62) | random.getrandbits(62))),
        "measured_at": "2026-11-26T12:00:00Z", "agent": {"name": "bench", "version": "1"},
        "device": {"vendor": "Bench", "name": f"Device {device}", "kind": "gpu"},
        "workload": {"kernel": f"kernel_{kernel:02}", "variant": "global", "parameters": {"n": size}},
        "times": {"repetitions_s": [at * (1 + random.random() / 50) for _ in range(REPETITIONS)]},
        "readings": {"ncu": {"counters": counters}, "launch": {"counters": {"work_groups": 16, "work_items": 4 ** size}}},
        "provenance": {"driver_version": "1", "tools": {}},
    }


@contextlib.contextmanager
def databases(count):
    names = [f"bench_{os.getpid()}_{number}" for number in range(count + 1)]
    for name in names:
        psql(BASE.path.strip("/"), f"CREATE DATABASE {name}")
    try:
        yield names
    finally:
        for name in names:
            psql(BASE.path.strip("/"), f"DROP DATABASE {name} WITH (FORCE)")


def active_ms(name):
    """What sessions have spent on statements in the database; they tell it when they are idle, after a second."""
    time.sleep(1.5)
    return float(psql(name, f"SELECT active_time FROM pg_stat_database WHERE datname = '{name}'"))


def read_ms(coordinator, shards):
    """To read all values of a device's samples as a fit does, by their ids, to a file; the quickest of five."""
    ids = psql(coordinator, "SELECT array_agg(id) FROM samples WHERE device_id = (SELECT min(id) FROM devices)")
    readings = "counted_readings" if psql(coordinator, "SELECT to_regclass('counted_readings')") else "readings"
    these = f"WHERE sample_id = ANY ('{ids}')"
    asked = [(coordinator, f"SELECT sample_id, provider, counter_ids, values, scope, refusal FROM {readings} {these}")]
    for name in shards:
        if psql(name, f"SELECT count(*) FROM readings {these}") != "0":
            asked.append((name, f"SELECT sample_id, provider, content, values FROM readings {these} AND provider <> ''"))

    def once():
        took = 0
        for name, query in asked:
            text = psql(name, f"\\timing on\nCOPY ({query}) TO '/dev/null' (FORMAT binary);")
            took += float(text.split("Time: ")[1].split()[0])
        return took

    return min(once() for _ in range(5))


def measure(binary, shards):
    """Samples a second, and a sample's milliseconds and bytes in the database and on shards."""
    batches = [[sample(device, number % KERNELS, 4 + number // KERNELS % SIZES) for number in range(BATCH)]
               for _ in range(BATCHES) for device in range(DEVICES)]
    bodies = [json.dumps({"samples": batch}) for batch in batches]
    total = len(bodies) * BATCH
    with databases(shards) as (coordinator, *others), tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        command = [binary, "--listen", (address := free_address()), "--data", folder, "--database-url", url(coordinator),
                   "--serve", "--ingest"]
        if shards:
            file = folder / "shards.toml"
            file.write_text("".join(f'[[shard]]\nname = "s{place}"\nurl = "{url(name)}"\n' for place, name in enumerate(others)))
            file.chmod(0o600)
            command += ["--shards", file]
        with running(command, address):
            kerncast = Server(address, folder)
            warm = json.dumps({"samples": [sample(device, 0, 4) for device in range(DEVICES)]})
            kerncast.request("POST", "/v1/samples", warm, kerncast.upload_headers)
            before = [active_ms(name) for name in (coordinator, *others)]
            agents = [threading.Thread(target=upload, args=(kerncast, bodies[at::2])) for at in range(2)]
            start = time.perf_counter()
            for agent in agents:
                agent.start()
            for agent in agents:
                agent.join()
            took = time.perf_counter() - start
            after = [active_ms(name) for name in (coordinator, *others)]
        for name in (coordinator, *others):
            psql(name, "VACUUM FULL")
        read = read_ms(coordinator, others)
        here = int(psql(coordinator, "SELECT sum(pg_total_relation_size(it)) FROM unnest('{samples,readings}'::regclass[]) AS it"))
        there = [int(psql(name, "SELECT pg_total_relation_size('readings')")) for name in others]
    spent = [(after - before) / total for before, after in zip(before, after)]
    return {"samples/s": total / took, "ms in the database": spent[0], "ms on shards": sum(spent[1:]),
            "bytes in the database": here / total, "bytes on shards": sum(there) / total,
            "ms to read for a fit": read}


def upload(kerncast, bodies):
    connection = http.client.HTTPConnection(kerncast.address)
    for body in bodies:
        connection.request("POST", "/v1/samples", body, kerncast.upload_headers)
        answer = connection.getresponse()
        text = json.loads(answer.read())
        if answer.status != 200 or text["stored"] != BATCH:
            sys.exit(str(text)[:500])


def knows(binary):
    return "--shards" in subprocess.run([binary, "--help"], capture_output=True, text=True).stdout


cases = [(binary, shards) for binary in sys.argv[1:] for shards in ((0, 1, 3) if knows(binary) else (0,))]
rounds = {case: [] for case in cases}
for _ in range(REPEATS):
    for case in cases:
        rounds[case].append(measure(*case))
        print(case, {key: round(value, 3) for key, value in rounds[case][-1].items()}, flush=True)
for case in cases:
    print(*case, "shards:", ", ".join(f"{key} {statistics.median(it[key] for it in rounds[case]):.2f}" for key in rounds[case][0]))
