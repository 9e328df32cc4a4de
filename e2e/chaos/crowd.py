"""Agents that all upload at once, while ten dashboards read, a client asks for forecasts and models are fitted.

Each agent has a token of its own and a suite as one of four devices has run it, which it uploads as `kerncast` does. Where
all its attempts fail the suite stays in its spool until the next night; here a minute or two stand for that. One agent of
each device has uploaded a part of it before the others come, so that there are models to ask. All figures have a target;
one that is missed is told, but only what is lost, doubled or wrong makes this fail.

Called by scripts/crowd with the server's binary, the number of agents, and seconds for uploads and fits together.
"""

import asyncio
import collections
import json
import multiprocessing
import os
import platform
import random
import re
import sys
import threading
import time

import readers
from ledger import Ledger
from memory import resident, shared_out
from services import ask, run_alone, wait
from suite import FILES, Measured
from upload import GOOD, attempts, open_files

SERVER, AGENTS, DURATION = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
DASHBOARDS = 10
# Seconds within which all agents come; in place of the night between two runs of an agent, up to twice as long; between two
# looks at the server.
WITHIN, NIGHT, LOOK = 2, 60, 5
# Of the suite's workloads those before the crowd have one in so many; what their fits may take, seconds.
EARLIER, READY = 8, 600
# The targets: seconds, MiB, seconds.
MOST_FORECAST, MOST_MEMORY, MOST_FITS = 0.05, 1024, 600


class Crowd:
    """The agents, and what came of them."""

    def __init__(self, server, ledger):
        self.server, self.ledger = server, ledger
        self.suites = [Measured(name) for name in FILES]
        self.answers = collections.Counter()
        self.attempts = collections.Counter()
        # Those whose attempts were all in vain, once or more often.
        self.turned_away = set()
        # When each had sent all.
        self.done = []
        self.end = float("inf")
        self.tokens = {}

    def enrol(self, agents):
        """Makes them tokens, as an admin does."""
        headers = {"authorization": f"Bearer {self.server.token()}", "content-type": "application/json"}
        for agent in agents:
            body = json.dumps({"role": "agent", "agent": agent})
            status, _, text = ask(self.server.port, "POST", "/v1/tokens", body, headers)
            if status != 201:
                raise SystemExit(f"crowd: a token was refused: {status} {text[:200]}")
            self.tokens[agent] = json.loads(text)["token"]

    async def upload(self, agents, every=1):
        """All of them, at once."""
        await asyncio.gather(*(self.agent(agent, self.suites[at % len(FILES)], every) for at, agent in enumerate(agents)))

    async def agent(self, agent, suite, every):
        await asyncio.sleep(random.uniform(0, WITHIN))
        for ids, pieces in suite.batches(agent, every):
            answer = await self.send(agent, "/v1/samples", pieces)
            if answer is None:
                return
            for name, verdict in zip(ids, json.loads(answer)["verdicts"], strict=True):
                if not self.ledger.verdict(name, verdict["verdict"]):
                    self.ledger.complain(f"a sample was rejected: {verdict}")
        if await self.send(agent, "/v1/ceilings", suite.own_ceilings(agent)) is not None:
            self.done.append(time.monotonic())

    async def send(self, agent, path, pieces):
        """The text of the good answer, whichever night it comes; none where it never does."""
        tries, wrong = 0, False

        def answered(status, text):
            nonlocal tries, wrong
            tries += 1
            self.answers[status] += 1
            if is_error(status):
                wrong |= status != 0
                self.ledger.complain(f"{agent}, {path}: answered {status or 'nothing'}: {text[:200]}")

        while True:
            answer = await attempts(self.server.port, path, self.tokens[agent], pieces, answered)
            if answer is not None:
                self.attempts[tries] += 1
                return answer
            self.turned_away.add(agent)
            if wrong or time.monotonic() > self.end:
                self.ledger.complain(f"{agent} has not got rid of {path}")
                return None
            await asyncio.sleep(NIGHT * random.uniform(1, 2))


class Watch(threading.Thread):
    """Looks at the server, and tells."""

    def __init__(self, server):
        super().__init__(daemon=True)
        self.server = server
        self.ended = threading.Event()
        self.began = time.monotonic()
        self.all_of_it, self.loads = [], []

    def run(self):
        while not self.ended.wait(LOOK):
            pid = self.server.process.pid
            own, all_of_it, load = resident(pid), shared_out(pid), os.getloadavg()[0]
            self.all_of_it.append(all_of_it)
            self.loads.append(load)
            metrics = self.server.get("/metrics")[2].decode()
            print(f"{time.monotonic() - self.began:6.0f} s  {metric(metrics, 'samples_total', 'stored'):9,.0f} samples, "
                  f"{metric(metrics, 'fitting_jobs', 'pending'):3.0f} fits wait; server {own:5.0f} MiB, with its Postgres "
                  f"{all_of_it:5.0f} MiB; load {load:.1f}", flush=True)

    def stop(self):
        self.ended.set()
        self.join()


def metric(metrics, name, label):
    found = re.search(rf'^kerncast_{name}{{[^}}]*"{label}"}} (\S+)', metrics, re.MULTILINE)
    return float(found[1]) if found else float("nan")


def is_error(status):
    return status not in GOOD and status not in (429, 503)


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


def crowd(server):
    """Whether nothing was lost, doubled or otherwise wrong."""
    ledger = Ledger(1)
    print(f"crowd: {AGENTS:,} agents; {platform.machine()}, {os.cpu_count()} cores for server, Postgres, agents and readers, load "
          f"{os.getloadavg()[0]:.1f} before", flush=True)
    agents = [f"crowd-{at}" for at in range(AGENTS)]
    earlier = [f"earlier-{at}" for at in range(len(FILES))]
    all_of_them = Crowd(server, ledger)
    all_of_them.enrol(agents + earlier)
    # Each agent holds a connection.
    open_files(2 * AGENTS + 500)
    asyncio.run(all_of_them.upload(earlier, EARLIER))
    took = wait(lambda: pending(server) == 0, READY)
    if took is None:
        raise SystemExit(f"crowd: fits of {len(ledger.acknowledged):,} samples are not made in {READY} s")
    print(f"one agent of each device has uploaded {len(ledger.acknowledged):,} samples, whose fits took {took:.0f} s", flush=True)

    before = len(ledger.acknowledged)
    all_of_them.answers.clear()
    all_of_them.attempts.clear()
    all_of_them.done.clear()
    watch = Watch(server)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        asked = questions(server, all_of_them.suites)
        reading = pool.apply_async(readers.dashboards, (server.port, DASHBOARDS))
        forecasting = pool.apply_async(readers.forecasts, (server.port, asked))
        watch.start()
        start = time.monotonic()
        all_of_them.end = start + DURATION
        asyncio.run(all_of_them.upload(agents))
        uploaded = max(all_of_them.done)
        print(f"{uploaded - watch.began:6.0f} s  the last upload is acknowledged", flush=True)
        is_fitted = wait(lambda: pending(server) == 0, max(1, all_of_them.end - time.monotonic())) is not None
        fits, waiting = time.monotonic() - uploaded, pending(server)
        readers.ended.set()
        table, read, complaints = reading.get()
        forecasts, forecast_answers, more = forecasting.get()
    watch.stop()
    ledger.complaints += complaints + more
    given_up = int(server.psql("SELECT count(*) FROM fitting_jobs WHERE attempts >= 3")[0][0])
    if given_up:
        ledger.complain(f"{given_up} fits were given up")
    if server.starts != 1:
        ledger.complain(f"the server ended {server.starts - 1} times")
    lost, doubled = ledger.judge(server.psql("SELECT id, encode(content_hash, 'hex') FROM samples"))

    during, after = [], []
    for at, took in forecasts:
        (during if at < uploaded else after).append(took)
    samples, seconds = len(ledger.acknowledged) - before, uploaded - start
    answers = read + forecast_answers + all_of_them.answers
    errors = sum(count for status, count in answers.items() if is_error(status))
    p99 = sorted(took for _, took in forecasts)[len(forecasts) * 99 // 100]
    most = resident(server.process.pid, "VmHWM")
    half = sorted(all_of_them.done)[len(all_of_them.done) // 2] - start
    print(f"\n{samples:,} samples of {AGENTS:,} agents in {seconds:.0f} s, {samples / seconds:,.0f} a second, half of the agents "
          f"in {half:.0f} s; load {min(watch.loads):.1f} to {max(watch.loads):.1f}")
    print("\n".join(table))
    print(f"uploads' answers {dict(sorted(all_of_them.answers.items()))}; attempts that each took "
          f"{dict(sorted(all_of_them.attempts.items()))}\n")
    row("", "measured", "target")
    row("answers but 2xx, 429 and 503, or none", errors, 0, errors == 0)
    row("agents that four attempts were too few for", len(all_of_them.turned_away), 0, not all_of_them.turned_away)
    row("samples acknowledged that are lost", len(lost), 0, not lost)
    row("stored twice", len(doubled), 0, not doubled)
    row("forecasts: 99 in 100 within, ms", f"{1e3 * p99:.0f}", f"{1e3 * MOST_FORECAST:.0f}", p99 <= MOST_FORECAST)
    row("  while agents upload: median / p99 / slowest", percentiles(during))
    row("  while models are fitted after that", percentiles(after))
    row("memory of the server at most, MiB", f"{most:.0f}", MOST_MEMORY, most <= MOST_MEMORY)
    row("  with its Postgres", f"{max(watch.all_of_it):.0f}", MOST_MEMORY, max(watch.all_of_it) <= MOST_MEMORY)
    # Those that end before the target has passed say nothing of it.
    in_time = fits <= MOST_FITS if is_fitted or fits > MOST_FITS else None
    row("fits are done after the last upload, s", f"{fits:.0f}" if is_fitted else f"not after {fits:.0f}", MOST_FITS, in_time)
    if not is_fitted:
        row("  that wait", waiting)
    print(f"wrong {len(ledger.complaints)}", flush=True)
    return not (lost or doubled or ledger.complaints)


def row(what, measured, target="", met=None):
    verdict = "" if met is None else "met" if met else "missed"
    print(f"{what:48} {measured:>18} {target:>8}  {verdict}")


run_alone("crowd", SERVER, [], crowd)
