"""Agents that all upload at once, while ten dashboards read, a client asks for forecasts and models are fitted.

Each agent has a token of its own and a suite as one of four devices has run it, which it uploads as `kerncast` does. Where
it gives up the suite stays in its spool until the next night; here a minute or two stand for that. One agent of
each device has uploaded a part of it before the others come, so that there are models to ask. All figures have a target;
one that is missed is told, but only what is lost, doubled or wrong makes this fail.

Called by scripts/crowd with the server's binary, the number of agents, and seconds for uploads and fits together.
"""

import asyncio
import json
import multiprocessing
import os
import platform
import sys
import threading
import time

import readers
from ledger import Ledger
from many import Agents, is_error
from services import run_alone, wait
from suite import FILES
from upload import open_files
from usage import processors, resident, shared_out

SERVER, AGENTS, DURATION = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
DASHBOARDS = 10
# Seconds between two looks at the server.
LOOK = 5
# Of the suite's workloads those before the crowd have one in so many; what their fits may take, seconds.
EARLIER, READY = 8, 600
# The targets: seconds, MiB, seconds.
MOST_FORECAST, MOST_MEMORY, MOST_FITS = 0.05, 1024, 600


class Watch(threading.Thread):
    """Looks at the server, and tells."""

    def __init__(self, server, ledger):
        super().__init__(daemon=True)
        self.server, self.ledger = server, ledger
        self.ended = threading.Event()
        self.began = time.monotonic()
        self.all_of_it, self.loads = [], []

    def run(self):
        while not self.ended.wait(LOOK):
            pid = self.server.process.pid
            own, all_of_it, load = resident(pid), shared_out(pid), os.getloadavg()[0]
            self.all_of_it.append(all_of_it)
            self.loads.append(load)
            waiting = pending(self.server)
            print(f"{time.monotonic() - self.began:6.0f} s  {len(self.ledger.acknowledged):9,} samples acknowledged, "
                  f"{'?' if waiting is None else waiting} fits wait; server {own:5.0f} MiB, with its Postgres "
                  f"{all_of_it:5.0f} MiB; load {load:.1f}", flush=True)

    def stop(self):
        self.ended.set()
        self.join()


def pending(server):
    """Fits that wait or are being made; none where the server does not say."""
    status, _, text = server.get("/v1/jobs")
    return json.loads(text)["pending"] if status == 200 else None


def questions(server, suites):
    """A forecast of each sample, on its device."""
    devices = {(it["vendor"], it["name"]): it["id"] for it in json.loads(server.get("/v1/devices")[2])["items"]}
    return [{"device": devices[suite.device["vendor"], suite.device["name"]], "counters": counters}
            for suite in suites for counters in suite.counters if counters]


def percentiles(times):
    """Median, 99th percentile and the slowest, as text."""
    times = sorted(times)
    at = [times[len(times) // 2], times[len(times) * 99 // 100], times[-1]] if times else []
    return " / ".join(f"{1e3 * it:.0f}" for it in at) or "none"


def judge(server):
    """Whether nothing was lost, doubled or otherwise wrong."""
    ledger = Ledger(1)
    print(f"crowd: {AGENTS:,} agents; {platform.machine()}, {os.cpu_count()} cores for server, Postgres, agents and readers, "
          f"load {os.getloadavg()[0]:.1f} before", flush=True)
    agents = Agents(server, ledger)
    crowd, earlier = [[f"{name}-{at}" for at in range(count)] for name, count in (("crowd", AGENTS), ("earlier", len(FILES)))]
    agents.enrol(crowd + earlier)
    # Each holds a connection.
    open_files(2 * AGENTS + 500)
    asyncio.run(agents.upload(earlier, EARLIER))
    took = wait(lambda: pending(server) == 0, READY)
    if took is None:
        raise SystemExit(f"crowd: fits of {len(ledger.acknowledged):,} samples are not made in {READY} s")
    before = len(ledger.acknowledged)
    print(f"one agent of each device has uploaded {before:,} samples, whose fits took {took:.0f} s", flush=True)

    agents.begin_anew(DURATION)
    watch = Watch(server, ledger)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        reading = pool.apply_async(readers.dashboards, (server.port, DASHBOARDS))
        forecasting = pool.apply_async(readers.forecasts, (server.port, questions(server, agents.suites)))
        try:
            watch.start()
            start = time.monotonic()
            asyncio.run(agents.upload(crowd))
            uploaded, busy = max(agents.done), processors(server.process.pid)
            print(f"{uploaded - watch.began:6.0f} s  the last upload is acknowledged", flush=True)
            is_fitted = wait(lambda: pending(server) == 0, max(1, agents.end - time.monotonic())) is not None
            fits, waiting = time.monotonic() - uploaded, pending(server)
            busy = processors(server.process.pid) - busy
        finally:
            # Whatever failed, the readers end.
            readers.ended.set()
        table, read, complaints = reading.get()
        forecasts, forecast_answers, more = forecasting.get()
        pool.close()
        pool.join()
    watch.stop()
    ledger.complaints += complaints + more
    given_up = int(server.psql("SELECT count(*) FROM fitting_jobs WHERE attempts >= 3")[0][0])
    if given_up:
        ledger.complain(f"{given_up} fits were given up")
    if server.starts != 1:
        ledger.complain(f"the server ended {server.starts - 1} times")
    lost, doubled = ledger.judge(server.psql("SELECT id, encode(content_hash, 'hex') FROM samples"))

    samples, seconds = len(ledger.acknowledged) - before, uploaded - start
    half = sorted(agents.done)[len(agents.done) // 2] - start
    print(f"\n{samples:,} samples of {AGENTS:,} agents in {seconds:.0f} s, {samples / seconds:,.0f} a second, half of the "
          f"agents in {half:.0f} s; load {min(watch.loads):.1f} to {max(watch.loads):.1f}")
    print("\n".join(table))
    print(f"uploads' answers {dict(sorted(agents.answers.items()))}; attempts that each took "
          f"{dict(sorted(agents.attempts.items()))}\n")

    row("", "measured", "target")
    answers = read + forecast_answers + agents.answers
    errors = sum(count for status, count in answers.items() if is_error(status))
    row("answers but 2xx, 429 and 503, or none", errors, 0, errors == 0)
    row("agents that had to come again another night", len(agents.turned_away), 0, not agents.turned_away)
    row("samples acknowledged that are lost", len(lost), 0, not lost)
    row("stored twice", len(doubled), 0, not doubled)
    tell_forecasts(forecasts, uploaded)
    own, all_of_it = resident(server.process.pid, "VmHWM"), max(watch.all_of_it)
    row("memory of the server at most, MiB", f"{own:.0f}", MOST_MEMORY, own <= MOST_MEMORY)
    row("  with its Postgres", f"{all_of_it:.0f}", MOST_MEMORY, all_of_it <= MOST_MEMORY)
    # Those that end before the target has passed say nothing of it.
    in_time = fits <= MOST_FITS if is_fitted or fits > MOST_FITS else None
    row("fits are done after the last upload, s", f"{fits:.0f}" if is_fitted else f"not after {fits:.0f}", MOST_FITS, in_time)
    row("  of processors' time the server had, s", f"{busy:.0f}")
    if not is_fitted:
        row("  that wait", waiting)
    print(f"wrong {len(ledger.complaints)}", flush=True)
    return not (lost or doubled or ledger.complaints)


def tell_forecasts(forecasts, uploaded):
    """When each was asked for and what it took, seconds; `uploaded`: when the last upload was answered."""
    p99 = sorted(took for _, took in forecasts)[len(forecasts) * 99 // 100]
    row("forecasts: 99 in 100 within, ms", f"{1e3 * p99:.0f}", f"{1e3 * MOST_FORECAST:.0f}", p99 <= MOST_FORECAST)
    during = [took for at, took in forecasts if at < uploaded]
    after = [took for at, took in forecasts if at >= uploaded]
    row("  while agents upload: median / p99 / slowest", percentiles(during))
    row("  while models are fitted after that", percentiles(after))


def row(what, measured, target="", met=None):
    verdict = "" if met is None else "met" if met else "missed"
    print(f"{what:48} {measured:>18} {target:>8}  {verdict}")


run_alone("crowd", SERVER, [], judge)
