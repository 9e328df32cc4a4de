"""One server for hours, while agents upload and dashboards read: its memory must not grow, and nothing may be lost.

Called by scripts/soak with the server's binary and seconds. Memory is what the server holds resident (VmRSS), read every
ten seconds; that of its Postgres is told beside it, as Postgres shares it between its processes (Pss).
"""

import json
import os
import platform
import statistics
import sys
import threading
import time

from ledger import Ledger
from load import Load, Requests
from services import run_alone, wait
from usage import resident, shared_out

SERVER, DURATION = sys.argv[1], float(sys.argv[2])
# Seconds between two looks at the memory, and between two lines about it; an uploader's pause.
LOOK, TELL, PAUSE = 10, 300, 2
# Flat: the last quarter's median beside the second's. In the first one caches fill.
MOST_GROWTH = 1.1
END = 420


def watched(server, ledger, started):
    """MiB of the server, and of it with its Postgres, at every look."""
    told, looks = None, []
    while (at := time.monotonic() - started) < DURATION:
        pid = server.process.pid
        looks.append((resident(pid), shared_out(pid)))
        if told is None or at - told >= TELL:
            told = at
            own, all_of_it = looks[-1]
            print(f"{at:6.0f} s  server {own:5.0f} MiB, with its Postgres {all_of_it:5.0f} MiB; "
                  f"{len(ledger.acknowledged):,} samples acknowledged", flush=True)
        time.sleep(LOOK)
    return looks


def soak(server):
    """Whether memory was flat, and nothing lost, doubled or otherwise wrong."""
    ledger = Ledger(1)
    threading.excepthook = lambda failed: (threading.__excepthook__(failed), ledger.complain(f"{failed.exc_value!r}"))
    requests = Requests(server.port, ledger)
    load = Load(requests, ledger, server.token(), PAUSE)
    started = time.monotonic()
    try:
        looks = watched(server, ledger, started)
    finally:
        load.end()
    seconds = time.monotonic() - started
    fitted = wait(lambda: json.loads(requests.send("read", "GET", "/v1/jobs")[1])["pending"] == 0, END)
    if fitted is None:
        ledger.complain(f"fits go on {END} s after the last upload")
    if server.starts != 1:
        ledger.complain(f"the server ended {server.starts - 1} times")
    stored = json.loads(requests.send("read", "GET", "/v1/overview")[1])["samples"]
    if stored != len(ledger.acknowledged):
        ledger.complain(f"{len(ledger.acknowledged)} samples were acknowledged, {stored} are there")
    own = [look[0] for look in looks]
    quarter = len(own) // 4
    quarters = [statistics.median(own[quarter * at:quarter * (at + 1)]) for at in range(4)]
    growth = quarters[3] / quarters[1]
    if growth > MOST_GROWTH:
        ledger.complain(f"memory grew by a factor of {growth:.2f}")

    print(f"\nsoak: {seconds:.0f} s; {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}")
    print("\n".join(requests.table()))
    print(f"answers: {dict(sorted(requests.answers.items()))} (0: none)")
    print(f"the server's memory by quarters, medians: {', '.join(f'{it:.0f}' for it in quarters)} MiB, at most {max(own):.0f}; "
          f"the last one is {growth:.3f} of the second; with its Postgres at most {max(look[1] for look in looks):.0f} MiB")
    print(f"samples acknowledged {len(ledger.acknowledged):,}, there {stored:,}; fits are done {fitted or END:.0f} s after the last "
          f"upload; wrong {len(ledger.complaints)}", flush=True)
    return not ledger.complaints


run_alone("soak", SERVER, ["--requests-per-second", "0"], soak)
