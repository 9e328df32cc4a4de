"""Agents that all upload at once, while ten dashboards read, a client asks for forecasts and models are fitted.

Each agent has a token of its own and a suite as one of four devices has run it, which it uploads as `kerncast` does. Where
it gives up the suite stays in its spool until the next night; here a minute or two stand for that. One agent of
each device has uploaded a part of it before the others come, so that there are models to ask. All figures have a target;
one that is missed is told, but only what is lost, doubled or wrong makes this fail.
"""

import asyncio
import json
import time

from many import Agents, is_error
from readers import Readers
from services import Server, pending, wait
from suite import FILES
from upload import open_files
from usage import Watch, processors, resident

DURATION = 1200
DASHBOARDS = 10
# Seconds between two looks at the server.
LOOK = 5
# Of the suite's workloads those before the crowd have one in so many; what their fits may take, seconds.
EARLIER, READY = 8, 600
# The targets: seconds, MiB, seconds.
MOST_FORECAST, MOST_MEMORY, MOST_FITS = 0.05, 1024, 600


def set_up(run):
    return Server("server", run.server, [], run.folder)


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


def play(run, server):
    ledger, readers = run.ledger, Readers(server.port)
    agents = Agents(server, ledger)
    crowd, earlier = [[f"{name}-{at}" for at in range(count)] for name, count in (("crowd", run.agents), ("earlier", len(FILES)))]
    agents.enrol(crowd + earlier)
    # Each holds a connection.
    open_files(2 * run.agents + 500)
    asyncio.run(agents.upload(earlier, EARLIER))
    took = wait(lambda: pending(server) == 0, READY)
    if took is None:
        raise SystemExit(f"crowd: fits of {len(ledger.acknowledged):,} samples are not made in {READY} s")
    before = len(ledger.acknowledged)
    print(f"one agent of each device has uploaded {before:,} samples, whose fits took {took:.0f} s", flush=True)

    agents.begin_anew(run.duration)
    with readers.reading(ledger, DASHBOARDS, questions(server, agents.suites)), Watch(server, ledger, LOOK, LOOK) as watch:
        start = time.monotonic()
        asyncio.run(agents.upload(crowd))
        uploaded, busy = max(agents.done), processors(server.process.pid)
        print(f"{uploaded - start:6.0f} s  the last upload is acknowledged", flush=True)
        is_fitted = wait(lambda: pending(server) == 0, max(1, agents.end - time.monotonic())) is not None
        fits, waiting = time.monotonic() - uploaded, pending(server)
        busy = processors(server.process.pid) - busy
    server.complain_of_ends(ledger)

    samples, seconds = len(ledger.acknowledged) - before, uploaded - start
    half = sorted(agents.done)[len(agents.done) // 2] - start
    print(f"\n{samples:,} samples of {run.agents:,} agents in {seconds:.0f} s, {samples / seconds:,.0f} a second, half of the "
          f"agents in {half:.0f} s; load {min(watch.loads):.1f} to {max(watch.loads):.1f}")
    print("\n".join(readers.table))
    print(f"uploads' answers {dict(sorted(agents.answers.items()))}; attempts that each took "
          f"{dict(sorted(agents.attempts.items()))}\n")

    row("", "measured", "target")
    answers = readers.answers + agents.answers
    errors = sum(count for status, count in answers.items() if is_error(status))
    row("answers but 2xx, 429 and 503, or none", errors, 0, errors == 0)
    row("agents that had to come again another night", len(agents.turned_away), 0, not agents.turned_away)
    tell_forecasts(readers.forecasts, uploaded)
    own, all_of_it = resident(server.process.pid, "VmHWM"), max(watch.all_of_it)
    row("memory of the server at most, MiB", f"{own:.0f}", MOST_MEMORY, own <= MOST_MEMORY)
    row("  with its Postgres", f"{all_of_it:.0f}", MOST_MEMORY, all_of_it <= MOST_MEMORY)
    # Those that end before the target has passed say nothing of it.
    in_time = fits <= MOST_FITS if is_fitted or fits > MOST_FITS else None
    row("fits are done after the last upload, s", f"{fits:.0f}" if is_fitted else f"not after {fits:.0f}", MOST_FITS, in_time)
    row("  of processors' time the server had, s", f"{busy:.0f}")
    if not is_fitted:
        row("  that wait", waiting)


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
