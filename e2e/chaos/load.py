"""Agents that upload and dashboards that read, until they are told to end; each request is sent until it is answered."""

import collections
import json
import random
import statistics
import subprocess
import threading
import time

from services import ask

UPLOADERS, READERS, BATCH = 4, 4, 20
# Seconds after which a request that was answered by none of its retries is lost; seconds before it is sent again: half to
# one and a half times as long.
LOST, RETRY = 60, 0.3
PREDICTION = json.dumps({"device": 1, "counters": {"oclgrind": {"load_global": 5000.0, "store_global": 170.0}}})


class Requests:
    """To a port, each until it is answered; what came of them, by kind."""

    def __init__(self, port, ledger):
        self.port, self.ledger = port, ledger
        self.lock = threading.Lock()
        self.times = collections.defaultdict(list)
        self.retries = collections.defaultdict(list)
        self.lost = collections.Counter()
        self.answers = collections.Counter()

    def table(self):
        """Rows as text, the first one their names."""
        yield f"{'':22} {'requests':>8} {'retried':>8} {'most retries':>12} {'lost':>5} {'median':>9} {'p99':>9} {'slowest':>9}"
        for kind, times in sorted(self.times.items()):
            times, tries = sorted(times), self.retries[kind]
            yield (f"{kind:22} {len(times) + self.lost[kind]:8} {sum(it > 0 for it in tries):8} {max(tries):12} "
                   f"{self.lost[kind]:5} {1e3 * statistics.median(times):6.0f} ms {1e3 * times[len(times) * 99 // 100]:6.0f} ms "
                   f"{1e3 * times[-1]:6.0f} ms")

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


class Load:
    def __init__(self, requests, ledger, token, pause=0.3):
        """`pause`: an uploader's between two batches, seconds, up to three times as long."""
        self.requests, self.ledger, self.pause = requests, ledger, pause
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
            time.sleep(self.pause * random.uniform(1, 3))

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
