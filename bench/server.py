"""The server beside its peers, in the same run, in turns, medians of repeats: a bare axum handler that
answers the same JSON, and Postgres's COPY of the same bytes.

Called by scripts/bench with the server's binary, the bare handler's, and a folder.
"""

import datetime
import http.client
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import threading
import time
import uuid

from throwaway import free_address, running, server

COUNTERS = 60
REPEATS = 3
SERVER, BARE, FOLDER = *sys.argv[1:3], pathlib.Path(sys.argv[3])


def sample(kernel, size):
    """Counters, each a mixture of the kernel's habits and the size, and a time that they explain."""
    habits = random.Random(kernel)
    counters = {
        f"counter_{at:02}": float(int(2.0**size * habits.lognormvariate(3, 2) * random.uniform(0.9, 1.1)))
        for at in range(COUNTERS)
    }
    seconds = 1e-5 + 1e-9 * sum(counters.values())
    return {
        "id": str(uuid.uuid4()),
        "measured_at": datetime.datetime.now(datetime.timezone.utc).isoformat(),
        "agent": {"name": "bench", "version": "1"},
        "device": {"vendor": "Bench", "name": "Bench", "kind": "gpu"},
        "workload": {"kernel": f"kernel_{kernel}", "variant": "global", "parameters": {"n": size}},
        "times": {"repetitions_s": [seconds * random.uniform(0.99, 1.01) for _ in range(10)]},
        "readings": {"bench": {"counters": counters}},
        "provenance": {},
    }


def load(address, body, seconds, rate=None):
    """Requests per second, and the 99th percentile of their latency in seconds, by 16 connections that ask
    as fast as they are answered, or together `rate` times a second."""
    log, clients = FOLDER / "latencies", 16
    log.unlink(missing_ok=True)
    run = subprocess.run(
        ["h2load", "--h1", f"--clients={clients}", f"--duration={seconds}", "--warm-up-time=1", f"--data={body}",
         f"--log-file={log}", "--header=content-type: application/json"]
        + ([f"--rps={rate / clients}"] if rate else []) + [f"http://{address}/v1/predictions"],
        check=True, capture_output=True, text=True)
    if not re.search(r" 0 failed, 0 errored", run.stdout) or not re.search(r" 0 4xx, 0 5xx", run.stdout):
        sys.exit(run.stdout)
    latencies = sorted(int(line.split()[2]) for line in log.read_text().splitlines())
    return float(re.search(r"([\d.]+) req/s", run.stdout)[1]), latencies[len(latencies) * 99 // 100] / 1e6


def predictions():
    """One counter set a request, by the champion."""
    samples = [sample(kernel, size) for kernel in range(40) for size in range(8, 20)]
    with server(SERVER, FOLDER / "server") as kerncast:
        kerncast.request("POST", "/v1/samples", json.dumps({"samples": samples}), kerncast.upload_headers)
        while kerncast.request("GET", "/v1/jobs")["pending"]:
            time.sleep(0.2)
        body, answer = FOLDER / "request.json", FOLDER / "answer.json"
        readings = sample(7, 12)["readings"]
        body.write_text(json.dumps({"counters": {provider: it["counters"] for provider, it in readings.items()}}))
        response = kerncast.request("POST", "/v1/predictions", body.read_text(), {"content-type": "application/json"})
        answer.write_text(json.dumps(response))
        model = kerncast.request("GET", f"/v1/models/{response['predictions'][0]['model']}")
        bare_address = free_address()
        with running([BARE, bare_address, answer], bare_address):
            ours, bare = zip(*((load(kerncast.address, body, 5)[0], load(bare_address, body, 5)[0]) for _ in range(REPEATS)))
        ours, bare = statistics.median(ours), statistics.median(bare)
        tail = statistics.median(load(kerncast.address, body, 5, ours / 2)[1] for _ in range(REPEATS))
    print(f"POST /v1/predictions, one set of {COUNTERS} counters, champion {model['specification']['method']}")
    print(f"  {ours:.0f} requests/s; a bare axum handler {bare:.0f}: {ours / bare:.2f} of it (asked: at least 0.80)")
    print(f"  99th percentile at half that load: {tail * 1e3:.2f} ms (asked: below 5)")


def ingestion():
    """Batches of a thousand samples, each with an answer that they are on disk, from two agents, beside one
    COPY of the same lines into a table of text, one of jsonb, and one of numbers in arrays as the server
    keeps them."""
    rounds = []
    for _ in range(REPEATS):
        samples = [sample(kernel, size) for _ in range(20) for size in range(8, 20) for kernel in range(50)]
        batches = [json.dumps({"samples": samples[at : at + 1000]}) for at in range(0, len(samples), 1000)]
        lines, arrays = FOLDER / "lines", FOLDER / "arrays"
        lines.write_text("".join(json.dumps(it).replace("\\", "\\\\") + "\n" for it in samples))
        arrays.write_text("".join(
            f"{it['id']}\t{{{','.join(map(str, range(COUNTERS)))}}}\t"
            f"{{{','.join(map(str, it['readings']['bench']['counters'].values()))}}}\n" for it in samples))
        with server(SERVER, FOLDER / "server") as kerncast:
            rates = {}
            for name, columns, file in (("text", "sample text", lines), ("jsonb", "sample jsonb", lines),
                                        ("arrays", "id uuid, counter_ids integer[], values float8[]", arrays)):
                rates[name] = len(samples) / copy(kerncast, name, columns, file)
            agents = [threading.Thread(target=upload, args=(kerncast, batches[at::2])) for at in range(2)]
            start = time.perf_counter()
            for agent in agents:
                agent.start()
            for agent in agents:
                agent.join()
            rates["ours"] = len(samples) / (time.perf_counter() - start)
            count = kerncast.psql("SELECT count(*) FROM readings")
            if count != str(len(samples)):
                sys.exit(f"{count} of {len(samples)} samples are stored")
        rounds.append(rates)
    rates = {name: statistics.median(it[name] for it in rounds) for name in rounds[0]}
    print(f"ingestion of samples with {COUNTERS} counters, two agents, batches of 1,000: {rates['ours']:.0f} samples/s")
    for name, what in (("text", "the same JSON as text"), ("jsonb", "the same JSON as jsonb"), ("arrays", "their counters as arrays")):
        print(f"  COPY of {what} {rates[name]:.0f} rows/s: {rates['ours'] / rates[name]:.2f} of it (asked: at least 0.40 of text)")


def upload(kerncast, batches):
    connection = http.client.HTTPConnection(kerncast.address)
    for batch in batches:
        connection.request("POST", "/v1/samples", batch, kerncast.upload_headers)
        connection.getresponse().read()


def copy(kerncast, table, columns, file):
    """Seconds to copy the file into a new table."""
    kerncast.psql(f"CREATE TABLE plain_{table} ({columns})")
    start = time.perf_counter()
    kerncast.psql(f"\\copy plain_{table} FROM '{file}'")
    return time.perf_counter() - start


FOLDER.mkdir(parents=True, exist_ok=True)
predictions()
ingestion()
