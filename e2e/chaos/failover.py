"""Three servers on one database behind a proxy; one after another is killed, and is there again a while later.

Agents upload and dashboards read meanwhile. Every request must be answered by its last retry, a sample that was
acknowledged must be readable at once wherever the proxy leads, and each must be stored once. Called by
scripts/failover with the server's and the agent's binaries, seconds, and seconds between two kills; DATABASE_URL names
a database that may be filled.
"""

import json
import os
import pathlib
import platform
import shutil
import signal
import sys
import tempfile
import threading
import time

from agents import Collector
from balancer import Balancer
from ledger import Ledger
from load import Load, Requests
from services import Server, free_port, psql, wait

SERVER, AGENT, DURATION, EVERY = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
DATABASE = os.environ["DATABASE_URL"]
SERVERS = 3
# How long a server that was killed stays away, of the time between two kills; seconds within which all is sent and fitted
# at the end.
AWAY, END = 0.25, 420


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
    load = Load(requests, ledger, tokens[0])
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
    load.end()
    seconds = time.monotonic() - started
    collector.making = False
    if wait(lambda: not collector.waiting(), END) is None:
        ledger.complain(f"the spool is not empty {END} s after the last kill")
    fitted = wait(lambda: json.loads(requests.send("read", "GET", "/v1/jobs")[1])["pending"] == 0, END)
    if fitted is None:
        ledger.complain(f"fits go on {END} s after the last upload")
    lost, doubled = ledger.judge(psql("SELECT id, encode(content_hash, 'hex') FROM samples", DATABASE))
    if (given_up := psql("SELECT count(*) FROM fitting_jobs WHERE attempts >= 3", DATABASE)[0][0]) != "0":
        ledger.complain(f"{given_up} requests for fits were given up")
    twice = psql("SELECT count(*) - count(DISTINCT fingerprint) FROM models WHERE NOT superseded", DATABASE)[0][0]
    if twice != "0":
        ledger.complain(f"{twice} models are there twice")
    report(requests, ledger, load, collector, balancer, kills, back, seconds, fitted, lost, doubled)
    return not (lost or doubled or ledger.complaints)


def report(requests, ledger, load, collector, balancer, kills, back, seconds, fitted, lost, doubled):
    print(f"\nfailover: {SERVERS} servers, one killed every {EVERY:.0f} s and away for {EVERY * AWAY:.0f} s, {kills} times in "
          f"{seconds:.0f} s; {platform.machine()}, {os.cpu_count()} cores, load {os.getloadavg()[1]:.1f}")
    print("\n".join(requests.table()))
    print(f"answers: {dict(sorted(requests.answers.items()))} (0: none)")
    print(f"connections that the proxy gave to another server than the first it chose: {balancer.passed_over}")
    print(f"streams of events that ended and were begun again: {load.missed - 1}")
    print(f"kerncast upload: {ledger.verdicts['gone from a spool']} samples gone from its spool, killed {collector.kills} times")
    print(f"a server that was killed is ready again {max(back):.1f} s after its start (the slowest); "
          f"fits are done {fitted or END:.0f} s after the last upload")
    print(f"samples made {ledger.made}, acknowledged {len(ledger.acknowledged)}, lost {len(lost)}, stored twice {len(doubled)}, "
          f"wrong {len(ledger.complaints)}", flush=True)


# As Ctrl-C does, so that nothing is left running.
signal.signal(signal.SIGTERM, signal.default_int_handler)
main()
