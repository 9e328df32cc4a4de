"""Those who only ask, each kind in a process of its own, so that they do not wait for whoever uploads here."""

import json
import multiprocessing
import random
import threading
import time

from ledger import Ledger
from load import Requests

# Told to all of them at once.
ended = multiprocessing.Event()
# Seconds between a dashboard's two looks at everything, and between two forecasts.
LOOK, PAUSE = (1, 3), (0.02, 0.1)
# What the dashboard's pages ask for (web/src/lib/catalogue.svelte.ts, web/src/pages).
PATHS = ["/v1/models?own=true&limit=1000", "/v1/devices?limit=1000", "/v1/jobs", "/v1/overview", "/v1/changes",
         "/v1/agents?limit=100"]


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
        body = json.dumps(random.choice(questions))
        at = time.monotonic()
        status, text = requests.send("forecast", "POST", "/v1/predictions", body, {"content-type": "application/json"})
        times.append((at, time.monotonic() - at))
        if status != 200:
            ledger.complain(f"a forecast was answered {status}: {text[:200]}")
        ended.wait(random.uniform(*PAUSE))
    return times, requests.answers, ledger.complaints
