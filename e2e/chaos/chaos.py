"""Everything that can go wrong with servers, database, disk, network and clocks, while agents upload.

The seed decides the faults and their order (not the moments that they hit). Best as root, who alone can fill a disk.
"""

import collections
import random
import time

from agents import Collector, Twins
from clock import Clock
from faults import Faults
from lab import Lab
from services import make_token, wait

DURATION = 1800
# Seconds within which everything is as it should be after a fault, and within which all is sent and fitted at the end.
RECOVERY, END = 90, 420


def set_up(run):
    return Lab(run)


def bags(faults, order):
    """All faults in some order, then all in another, and so on: none is forgotten."""
    while True:
        yield from order.sample(sorted(faults), len(faults))


def play(run, lab):
    order, ledger = random.Random(run.seed), run.ledger
    agents = [Twins(name, ledger, lab.ports, make_token(lab.first, name), run.seed) for name in ("twins-1", "twins-2")]
    collector = Collector(run, lab.ports, make_token(lab.first, "collector"), Clock if Clock.library() else None)
    agents.append(collector)

    faults = Faults(lab, ledger, order)
    available = faults.all()
    for name, why in faults.skipped.items():
        print(f"chaos: left out: {name}: {why}", flush=True)
    counts, recovery = collections.Counter(), collections.defaultdict(float)
    start = time.monotonic()
    for name in bags(available, order):
        now = time.monotonic() - start
        if now > run.duration:
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
    run.fits_took(lab.first, END)
    if lab.psql("SELECT count(*) FROM models WHERE NOT superseded AND refusal IS NULL") == [["0"]]:
        ledger.complain("there is no model")
    report(counts, recovery, faults, ledger, lab, collector)


def report(counts, recovery, faults, ledger, lab, collector):
    print(f"\n{'fault':42} {'times':>5}  {'slowest recovery':>16}")
    for name, times in sorted(counts.items()):
        print(f"{name:42} {times:5}  {recovery[name]:14.1f} s")
    links = [*lab.links, lab.database_link]
    print(f"{'kerncast upload killed':42} {collector.kills:5}")
    print(f"{'kerncast upload with a wrong clock':42} {collector.clock_jumps:5}")
    print(f"{'connections cut':42} {sum(link.cuts for link in links):5}")
    print(f"{'starts of servers':42} {sum(server.starts for server in lab.servers):5}")
    print(f"\nsamples made {ledger.made:,}; answers to uploads: {dict(sorted(ledger.answers.items()))} (0: none)")
    print(f"verdicts: {dict(ledger.verdicts)}")
    print(f"slowest answer while Postgres was stopped: {faults.slowest:.1f} s")
