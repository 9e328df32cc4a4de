"""Those who only ask, each kind in a process of its own, so that they do not wait for whoever uploads here."""

import collections
import contextlib
import json
import multiprocessing
import random
import statistics
import threading
import time

from ledger import Ledger
from services import ask

# Told to all of them at once.
ended = multiprocessing.Event()
# Seconds between a dashboard's two looks at everything, and between two forecasts.
LOOK, PAUSE = (1, 3), (0.02, 0.1)
# Seconds after which a request that was answered by none of its retries is lost; seconds before it is sent again: half to
# one and a half times as long.
LOST, RETRY = 60, 0.3
# What the dashboard's pages ask for (web/src/lib/catalogue.svelte.ts, web/src/pages).
PATHS = ["/v1/models?own=true&limit=1000", "/v1/devices?limit=1000", "/v1/jobs", "/v1/overview",
         "/v1/agents?limit=100"]


class Readers:
    """Dashboards, and a client that asks for one forecast after another. Made before there are threads, since it forks."""

    def __init__(self, port):
        self.port = port
        self.pool = multiprocessing.get_context("fork").Pool(2)

    @contextlib.contextmanager
    def reading(self, ledger, count, questions):
        """They read until its end; then there are `table`, `answers` and `forecasts`: when each began, and what it took."""
        reading = self.pool.apply_async(dashboards, (self.port, count))
        forecasting = self.pool.apply_async(forecasts, (self.port, questions))
        try:
            yield
        finally:
            # Whatever failed, the readers end.
            ended.set()
        self.table, read, complaints = reading.get()
        self.forecasts, asked, more = forecasting.get()
        self.answers = read + asked
        ledger.complaints += complaints + more
        self.pool.close()
        self.pool.join()


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

    def send(self, kind, method, path, body=None):
        """Status and text of the answer; 0 where there was none."""
        start, tries = time.monotonic(), 0
        while True:
            status, _, text = ask(self.port, method, path, body, {"content-type": "application/json"}, timeout=30)
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


def dashboards(port, count):
    """So many that read: a table of their requests, and what was wrong."""
    ledger = Ledger(0)
    requests = Requests(port, ledger)

    def get(kind, path):
        status, text = requests.send(kind, "GET", path)
        if status != 200:
            ledger.complain(f"{path} was answered {status}: {text[:200]}")
        return text if status == 200 else None

    def read():
        while not ended.is_set():
            texts = [get(path.split("?")[0], path) for path in PATHS]
            models = json.loads(texts[0])["items"] if texts[0] else []
            if models:
                one = random.choice(models)["id"]
                get("/v1/models/{id}", f"/v1/models/{one}")
                get("its errors", f"/v1/models/{one}/validation")
            ended.wait(random.uniform(*LOOK))

    # Where this process is ended, nobody waits for them.
    threads = [threading.Thread(target=read, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return list(requests.table()), requests.answers, ledger.complaints


def forecasts(port, questions):
    """One that asks for forecasts of sample after sample: when it asked and for how long it waited, and what was wrong."""
    ledger, times = Ledger(0), []
    requests = Requests(port, ledger)
    while not ended.is_set():
        at = time.monotonic()
        status, text = requests.send("forecast", "POST", "/v1/predictions", json.dumps(random.choice(questions)))
        times.append((at, time.monotonic() - at))
        if status != 200:
            ledger.complain(f"a forecast was answered {status}: {text[:200]}")
        ended.wait(random.uniform(*PAUSE))
    return times, requests.answers, ledger.complaints
