"""Three servers on one database behind a proxy; one after another is killed, and is there again a while later.

Agents upload and dashboards read meanwhile. Every request must be answered by its last retry, a sample that was
acknowledged must be readable at once wherever the proxy leads, and each must be stored once. Called by
scripts/failover with the server's and the agent's binaries, seconds, and seconds between two kills; DATABASE_URL names
a database that may be filled.
"""

import collections
import json
import os
import pathlib
import platform
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from agents import Collector
from balancer import Balancer
from ledger import Ledger
from services import Server, ask, free_port, wait

SERVER, AGENT, DURATION, EVERY = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
DATABASE = os.environ["DATABASE_URL"]
SERVERS, UPLOADERS, READERS, BATCH = 3, 4, 4, 20
# How long a server that was killed stays away, of the time between two kills; seconds after which a request that was
# answered by none of its retries is lost, and within which all is sent and fitted at the end.
AWAY, LOST, END = 0.25, 60, 420
# Seconds before a request is sent again: half to one and a half times as long.
RETRY = 0.3
PREDICTION = json.dumps({"device": 1, "counters": {"oclgrind": {"load_global": 5000.0, "store_global": 170.0}}})


class Requests:
    """Through the proxy, each until it is answered; what came of them, by kind."""

    def __init__(self, port, ledger):
        self.port, self.ledger = port, ledger
        self.lock = threading.Lock()
        self.times = collections.defaultdict(list)
        self.retries = collections.defaultdict(list)
        self.lost = collections.Counter()
        self.answers = collections.Counter()

    def send(self, kind, method, path, body=None, headers=None):
        """Status and text of the answer; 0 where there was none."""
        start, tries = time.monotonic(), 0
        while True:
            status, _, text = ask(self.port, method, path, body, headers, timeout=30)
            took = time.monotonic() - start
            with self.lock:
                self.answers[status] += 1
            if status not in (0, 408, 429, 503):
                with self.lock:
                    self.times[kind].append(took)
                    self.retries[kind].append(tries)
                return status, text
            if took > LOST:
                with self.lock:
                    self.lost[kind] += 1
                self.ledger.complain(f"{kind}: no answer in {LOST} s: {status} {text[:200]}")
                return status, text
            tries += 1
            time.sleep(RETRY * random.uniform(0.5, 1.5))


class Run:
    def __init__(self, requests, ledger, token):
        self.requests, self.ledger = requests, ledger
        self.headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self.goes_on = True
        self.missed = 0
        self.threads = [threading.Thread(target=self._upload, args=(number,)) for number in range(UPLOADERS)]
        self.threads += [threading.Thread(target=self._read) for _ in range(READERS)]
        for thread in self.threads:
            thread.start()
        threading.Thread(target=self._watch, daemon=True).start()

    def end(self):
        self.goes_on = False
        for thread in self.threads:
            thread.join()

    def _upload(self, number):
        while self.goes_on:
            batch = [self.ledger.sample(f"agent-{number}") for _ in range(BATCH)]
            body = json.dumps({"samples": batch})
            status, text = self.requests.send("upload", "POST", "/v1/samples", body, self.headers)
            if status != 200:
                self.ledger.complain(f"an upload was answered {status}: {text[:200]}")
                continue
            for sample, verdict in zip(batch, json.loads(text)["verdicts"]):
                self.ledger.verdict(sample["id"], verdict["verdict"])
            # Whoever answers this has to know what another has just stored.
            one = random.choice(batch)["id"]
            status, text = self.requests.send("read what was stored", "GET", f"/v1/samples/{one}")
            if status != 200:
                self.ledger.complain(f"a sample that was acknowledged is not there: {status} {text[:200]}")
            time.sleep(random.uniform(0.3, 0.9))

    def _read(self):
        paths = ["/v1/overview", "/v1/samples?limit=50", "/v1/models?limit=100", "/v1/devices", "/v1/jobs", "/"]
        answered = False
        while self.goes_on:
            path = random.choice(paths)
            status, text = self.requests.send("read", "GET", path)
            if status != 200:
                self.ledger.complain(f"{path} was answered {status}: {text[:200]}")
            status, text = self.requests.send("forecast", "POST", "/v1/predictions", PREDICTION,
                                              {"content-type": "application/json"})
            # There is no model at first, and for ever once there is.
            if status != 200 and (answered or status != 422):
                self.ledger.complain(f"a forecast was answered {status}: {text[:200]}")
            answered |= status == 200
            time.sleep(random.uniform(0.1, 0.4))

    def _watch(self):
        """A dashboard that is open: each stream of events begins with `missed`, so it never shows what is old."""
        while True:
            watching = subprocess.Popen(
                ["curl", "--silent", "--no-buffer", f"http://127.0.0.1:{self.requests.port}/v1/events"],
                stdout=subprocess.PIPE, text=True)
            for line in watching.stdout:
                self.missed += '"missed"' in line
            watching.wait()
            time.sleep(0.5)


def psql(command):
    run = subprocess.run(
        ["psql", "--quiet", "--no-align", "--tuples-only", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--field-separator=|",
         DATABASE], input=command, capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return [line.split("|") for line in run.stdout.splitlines()]


def main():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="kerncast-failover.", dir="/tmp"))
    servers = [Server(f"server-{number}", SERVER, ["--database-url", DATABASE], folder) for number in range(SERVERS)]
    try:
        good = failover(folder, servers)
    finally:
        for server in servers:
            server.stop()
    if not good:
        print(f"failover: failed; logs are in {folder}")
        sys.exit(1)
    shutil.rmtree(folder)


def failover(folder, servers):
    """Whether nothing was lost, doubled or otherwise wrong."""
    ledger = Ledger(1)
    threading.excepthook = lambda failed: (threading.__excepthook__(failed), ledger.complain(f"{failed.exc_value!r}"))
    # All at once: one of them makes the tables, and one the token.
    for server in servers:
        server.start()
    for server in servers:
        if wait(server.ready, 120) is None:
            raise SystemExit(f"failover: {server.name} is not ready in 120 s; {server.log} says why")
    tokens = [file.read_text().strip() for file in folder.glob("*/token")]
    if len(tokens) != 1:
        raise SystemExit(f"failover: {len(tokens)} servers have made a first token")
    balancer = Balancer(free_port(), servers)
    wait(lambda: len(balancer.ready) == SERVERS, 10)
    requests = Requests(balancer.port, ledger)
    started = time.monotonic()
    run = Run(requests, ledger, tokens[0])
    collector = Collector(AGENT, ledger, [balancer.port], tokens[0], folder / "spool", None, 1)

    kills, back = 0, []
    while time.monotonic() - started < DURATION:
        time.sleep(EVERY * (1 - AWAY))
        victim = servers[kills % SERVERS]
        victim.wanted.clear()
        victim.kill(signal.SIGKILL)
        kills += 1
        time.sleep(EVERY * AWAY)
        victim.start()
        took = wait(victim.ready, 60)
        if took is None:
            ledger.complain(f"{victim.name} is not ready again in 60 s")
        back.append(took or 60)
        print(f"{time.monotonic() - started:6.0f} s  {victim.name} was killed and is back; "
              f"{len(ledger.acknowledged)} samples acknowledged", flush=True)
    run.end()
    seconds = time.monotonic() - started
    collector.making = False
    if wait(lambda: not collector.waiting(), END) is None:
        ledger.complain(f"the spool is not empty {END} s after the last kill")
    fitted = wait(lambda: json.loads(requests.send("read", "GET", "/v1/jobs")[1])["pending"] == 0, END)
    if fitted is None:
        ledger.complain(f"fits go on {END} s after the last upload")
    lost, doubled = ledger.judge(psql("SELECT id, encode(content_hash, 'hex') FROM samples"))
    if (given_up := psql("SELECT count(*) FROM fitting_jobs WHERE attempts >= 3")[0][0]) != "0":
        ledger.complain(f"{given_up} requests for fits were given up")
    twice = psql("SELECT count(*) - count(DISTINCT fingerprint) FROM models WHERE NOT superseded")[0][0]
    if twice != "0":
        ledger.complain(f"{twice} models are there twice")
    report(requests, ledger, run, collector, balancer, kills, back, seconds, fitted, lost, doubled)
    return not (lost or doubled or ledger.complaints)


def report(requests, ledger, run, collector, balancer, kills, back, seconds, fitted, lost, doubled):
    print(f"\nfailover: {SERVERS} servers, one killed every {EVERY:.0f} s and away for {EVERY * AWAY:.0f} s, {kills} times in "
          f"{seconds:.0f} s; {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}")
    print(f"{'':22} {'requests':>8} {'retried':>8} {'most retries':>12} {'lost':>5} {'median':>9} {'p99':>9} {'slowest':>9}")
    for kind, times in sorted(requests.times.items()):
        times.sort()
        tries = requests.retries[kind]
        print(f"{kind:22} {len(times) + requests.lost[kind]:8} {sum(it > 0 for it in tries):8} {max(tries):12} "
              f"{requests.lost[kind]:5} {1e3 * statistics.median(times):6.0f} ms {1e3 * times[len(times) * 99 // 100]:6.0f} ms "
              f"{1e3 * times[-1]:6.0f} ms")
    print(f"answers: {dict(sorted(requests.answers.items()))} (0: none)")
    print(f"connections that the proxy gave to another server than the first it chose: {balancer.passed_over}")
    print(f"streams of events that ended and were begun again: {run.missed - 1}")
    print(f"kerncast upload: {ledger.verdicts['gone from a spool']} samples gone from its spool, killed {collector.kills} times")
    print(f"a server that was killed is ready again {max(back):.1f} s after its start (the slowest); "
          f"fits are done {fitted or END:.0f} s after the last upload")
    print(f"samples made {ledger.made}, acknowledged {len(ledger.acknowledged)}, lost {len(lost)}, stored twice {len(doubled)}, "
          f"wrong {len(ledger.complaints)}", flush=True)


# As Ctrl-C does, so that nothing is left running.
signal.signal(signal.SIGTERM, signal.default_int_handler)
main()
