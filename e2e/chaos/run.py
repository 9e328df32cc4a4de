"""Everything that can go wrong with servers, database, disk, network and clocks, while agents upload.

Every sample that a server has acknowledged must be there at the end, once. Called by scripts/chaos with the servers' and
the agent's binaries, seconds and a seed; the seed decides the faults and their order (not the moments that they hit).
"""

import collections
import json
import random
import shutil
import signal
import sys
import threading
import time

from agents import Collector, Twins
from clock import Clock
from faults import Faults
from lab import Lab
from ledger import Ledger
from services import ask, wait

SERVER, AGENT, DURATION, SEED = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
# Seconds within which everything is as it should be after a fault, and within which all is sent and fitted at the end.
RECOVERY, END = 90, 420


def make_token(lab, agent):
    headers = {"authorization": f"Bearer {lab.token()}", "content-type": "application/json"}
    body = json.dumps({"role": "agent", "agent": agent})
    status, _, text = ask(lab.first.port, "POST", "/v1/tokens", body, headers)
    if status not in (200, 201):
        raise SystemExit(f"chaos: no token for {agent}: {status} {text}")
    return json.loads(text)["token"]


def bags(faults, order):
    """All faults in some order, then all in another, and so on: none is forgotten."""
    while True:
        yield from order.sample(sorted(faults), len(faults))


def main():
    order = random.Random(SEED)
    lab, ledger = Lab(SERVER, SEED), Ledger(SEED)
    try:
        good = chaos(lab, ledger, order)
    finally:
        lab.end()
    if not good:
        print(f"chaos: failed; logs are in {lab.folder}")
        sys.exit(1)
    shutil.rmtree(lab.folder)


def chaos(lab, ledger, order):
    """Whether nothing was lost, doubled or otherwise wrong."""
    # A thread that ends by a mistake of ours is no success.
    threading.excepthook = lambda failed: (threading.__excepthook__(failed), ledger.complain(f"{failed.exc_value!r}"))
    print(f"chaos: {DURATION:.0f} s, seed {SEED}, in {lab.folder}", flush=True)
    lab.start()
    agents = [Twins(number, ledger, lab.ports, make_token(lab, f"twins-{number}"), SEED + number) for number in (1, 2)]
    collector = Collector(AGENT, ledger, lab.ports, make_token(lab, "collector"), lab.folder / "spool",
                          Clock if Clock.library() else None, SEED)
    agents.append(collector)

    faults = Faults(lab, ledger, order)
    available = faults.all()
    for name, why in faults.skipped.items():
        print(f"chaos: left out: {name}: {why}", flush=True)
    counts, recovery = collections.Counter(), collections.defaultdict(float)
    start = time.monotonic()
    for name in bags(available, order):
        now = time.monotonic() - start
        if now > DURATION:
            break
        print(f"{now:6.0f} s  {len(ledger.acknowledged):7} acknowledged   {name}", flush=True)
        available[name]()
        counts[name] += 1
        # Who was killed is still there for a moment.
        time.sleep(1)
        took = wait(lab.ready, RECOVERY)
        if took is None:
            ledger.complain(f"{RECOVERY} s after “{name}” not all servers are ready")
            took = RECOVERY
        recovery[name] = max(recovery[name], took)
        time.sleep(order.uniform(0.5, 4))

    print("chaos: calm; the agents send what they have left", flush=True)
    for agent in agents:
        agent.making = False
    if wait(lambda: not any(agent.waiting() for agent in agents), END) is None:
        ledger.complain(f"not everything is sent {END} s after the last fault")
    jobs = {}

    def fitted():
        nonlocal jobs
        status, _, text = lab.first.get("/v1/jobs")
        jobs = json.loads(text) if status == 200 else {"pending": -1}
        return jobs["pending"] == 0

    if wait(fitted, END) is None:
        ledger.complain(f"fits go on {END} s after the last upload: {jobs}")
    if given_up := [job for job in jobs.get("jobs", []) if job["given_up"]]:
        ledger.complain(f"fits were given up: {given_up}")
    if lab.psql("SELECT count(*) FROM models WHERE NOT superseded AND refusal IS NULL") == [["0"]]:
        ledger.complain("there is no model")
    lost, doubled = ledger.judge(lab.psql("SELECT id, encode(content_hash, 'hex') FROM samples"))
    report(counts, recovery, faults, ledger, lab, collector, lost, doubled)
    return not (lost or doubled or ledger.complaints)


def report(counts, recovery, faults, ledger, lab, collector, lost, doubled):
    print(f"\n{'fault':42} {'times':>5}  {'slowest recovery':>16}")
    for name, times in sorted(counts.items()):
        print(f"{name:42} {times:5}  {recovery[name]:14.1f} s")
    links = [*lab.links, lab.database_link]
    print(f"{'kerncast upload killed':42} {collector.kills:5}")
    print(f"{'kerncast upload with a wrong clock':42} {collector.clock_jumps:5}")
    print(f"{'connections cut':42} {sum(link.cuts for link in links):5}")
    print(f"{'starts of servers':42} {sum(server.starts for server in lab.servers):5}")
    print(f"\nanswers to uploads: {dict(sorted(ledger.answers.items()))} (0: none)")
    print(f"verdicts: {dict(ledger.verdicts)}")
    print(f"slowest answer while Postgres was stopped: {faults.slowest:.1f} s")
    for what, items in (("lost", lost), ("doubled", doubled)):
        if items:
            print(f"{what}: {sorted(items)[:10]} …")
    print(f"wrong: {len(ledger.complaints)}")
    print(f"made {ledger.made}, acknowledged {len(ledger.acknowledged)}, lost {len(lost)}, doubled {len(doubled)}", flush=True)


# As Ctrl-C does, so that nothing is left running.
signal.signal(signal.SIGTERM, signal.default_int_handler)
main()
