"""Load on servers: `python3 -B e2e/chaos SCENARIO`, called by make.

A scenario sets up what it loads, plays, and prints its figures. After any of them every sample that a server has
acknowledged must be there, once, and nobody may have seen a wrong answer; else this ends with 1, and the logs stay.

SERVER and AGENT name other binaries than target/release's; DURATION is in seconds, AGENTS how many there are; the same
SEED makes the same samples, and the same faults in the same order.
"""

import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
import threading

import chaos
import crowd
import simulate
import soak
from ledger import Ledger
from services import pending, wait

SCENARIOS = {"chaos": chaos, "crowd": crowd, "simulate": simulate, "soak": soak}
RELEASE = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "release"
# Seconds within which servers are ready at first.
READY = 120


class Run:
    """What a scenario is given."""

    def __init__(self, name):
        self.name = name
        self.server = os.path.realpath(os.environ.get("SERVER", RELEASE / "kerncast-server"))
        self.agent = os.path.realpath(os.environ.get("AGENT", RELEASE / "kerncast"))
        self.duration = float(os.environ.get("DURATION", SCENARIOS[name].DURATION))
        self.agents = int(os.environ.get("AGENTS", 1000))
        self.seed = int(os.environ.get("SEED", random.randrange(1 << 15)))
        self.ledger = Ledger(self.seed)
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"kerncast-{name}.", dir="/tmp"))
        # As root, Postgres runs as another user, who has to get there.
        self.folder.chmod(0o755)

    def fits_took(self, server, limit):
        """Seconds until no fit waits any more; the limit where some still do."""
        took = wait(lambda: pending(server) == 0, limit)
        if took is None:
            self.ledger.complain(f"fits go on after {limit:.0f} s: {pending(server)} wait")
        return limit if took is None else took

    def is_good(self, servers):
        """Whether nothing was lost, doubled or otherwise wrong."""
        given_up = int(servers.psql("SELECT count(*) FROM fitting_jobs WHERE attempts >= 3")[0][0])
        if given_up:
            self.ledger.complain(f"{given_up} fits were given up")
        lost, doubled = self.ledger.judge(servers.psql("SELECT id, encode(content_hash, 'hex') FROM samples"))
        for what, names in (("lost", lost), ("doubled", doubled)):
            if names:
                print(f"{what}: {sorted(names)[:10]} …")
        print(f"{self.name}: samples acknowledged {len(self.ledger.acknowledged):,}, lost {len(lost)}, doubled {len(doubled)}; "
              f"wrong {len(self.ledger.complaints)}", flush=True)
        return not (lost or doubled or self.ledger.complaints)


def main(name):
    scenario, run = SCENARIOS[name], Run(name)
    # As Ctrl-C does, so that nothing is left running.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # A thread that ends by a mistake of ours is no success.
    threading.excepthook = lambda failed: (threading.__excepthook__(failed), run.ledger.complain(f"{failed.exc_value!r}"))
    print(f"{name}: seed {run.seed}, {os.cpu_count()} cores for all of it, load {os.getloadavg()[0]:.1f} before, in {run.folder}",
          flush=True)
    good, servers = False, scenario.set_up(run)
    try:
        servers.start()
        if wait(servers.ready, READY) is None:
            raise SystemExit(f"{name}: not ready in {READY} s; the logs in {run.folder} say why")
        scenario.play(run, servers)
        good = run.is_good(servers)
    finally:
        servers.stop()
    if not good:
        raise SystemExit(f"{name}: failed; the logs are in {run.folder}")
    shutil.rmtree(run.folder)


if len(sys.argv) != 2 or sys.argv[1] not in SCENARIOS:
    raise SystemExit(f"usage: python3 -B e2e/chaos {'|'.join(SCENARIOS)}")
main(sys.argv[1])
