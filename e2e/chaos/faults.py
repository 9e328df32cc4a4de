"""What can go wrong. Each fault does its worst for a while and puts right what it did itself."""

import json
import shutil
import signal
import time
import uuid

from services import Server, ask, children, kill, wait

# The longest that anybody waits for an answer while the database is stopped, seconds.
PATIENCE = 15


class Faults:
    def __init__(self, lab, ledger, random):
        self.lab, self.ledger, self.random = lab, ledger, random
        self.slowest = 0.0
        self.skipped = {}

    def all(self):
        """By name; those that this machine does not allow are told apart."""
        lab = self.lab
        faults = {
            "first server killed": self.first_killed,
            "second server killed": self.second_killed,
            "server ended by SIGTERM": self.ended,
            "postmaster killed": self.postmaster_killed,
            "backends killed": self.backends_killed,
            "Postgres stopped": self.postgres_stopped,
            "network slow": lambda: self.network("slow"),
            "network cut": lambda: self.network("cut"),
            "network leads nowhere": lambda: self.network("nowhere"),
            "database's network slow, cut or nowhere": self.database_network,
            "three servers on an empty database": self.race,
        }
        if lab.has_disk:
            faults |= {"disk low": self.disk_low, "disk full": self.disk_full}
        else:
            self.skipped["disk low, disk full"] = "no file system may be mounted here: only root can"
        if lab.clocks:
            faults |= {"clock of a server set": self.clock}
        else:
            self.skipped["clock of a server set"] = "libfaketime is not installed"
        return faults

    def first_killed(self):
        # Its Postgres goes with it.
        self.lab.first.kill()

    def second_killed(self):
        self.lab.second.kill()

    def ended(self):
        self.random.choice(self.lab.servers).kill(signal.SIGTERM)

    def postmaster_killed(self):
        if postmaster := self.lab.postmaster():
            kill(postmaster, signal.SIGKILL)

    def backends_killed(self):
        for _ in range(self.random.randrange(1, 4)):
            if backends := children(self.lab.postmaster() or 0):
                kill(self.random.choice(backends), signal.SIGKILL)
            time.sleep(self.random.uniform(0, 1))

    def postgres_stopped(self):
        """Whoever asks meanwhile is told so in seconds."""
        postmaster = self.lab.postmaster()
        if not postmaster:
            return
        until = time.monotonic() + self.random.choice([3, 10, 35])
        stopped = [postmaster, *children(postmaster)]
        for process in stopped:
            kill(process, signal.SIGSTOP)
        try:
            while time.monotonic() < until:
                for server in self.lab.servers:
                    self._told(server, "/v1/samples?limit=1")
                    self._told(server, "/readyz")
                time.sleep(0.5)
        finally:
            for process in [*stopped, *children(postmaster)]:
                kill(process, signal.SIGCONT)

    def _told(self, server, path):
        start = time.monotonic()
        status, headers, text = server.get(path, timeout=60)
        took = time.monotonic() - start
        self.slowest = max(self.slowest, took)
        # Before its listing a server may still have been at its start.
        if took > PATIENCE:
            self.ledger.complain(f"{path} of {server.name} took {took:.1f} s while Postgres was stopped")
        if status not in (0, 200, 503) or status == 503 and "Retry-After" not in headers:
            self.ledger.complain(f"{path} of {server.name} was answered {status}: {text[:200]}")

    def disk_low(self):
        """Uploads to the server whose disk it is are refused, and it says why."""
        self.lab.leave_free(150 << 20)
        try:
            first = self.lab.first
            ready, _, text = first.get("/readyz")
            if ready not in (0, 503):
                self.ledger.complain(f"ready on a full disk: {ready} {text[:100]}")
            status, _, overview = first.get("/v1/overview")
            kinds = [it["because"]["kind"] for it in json.loads(overview)["attention"]] if status == 200 else []
            if status == 200 and "disk_low" not in kinds:
                self.ledger.complain(f"a disk that is almost full needs no attention: {kinds}")
            time.sleep(self.random.uniform(2, 8))
        finally:
            self.lab.leave_free(None)

    def disk_full(self):
        """Not a byte is free; Postgres may end, and with it the first server, which then says what it needs to start."""
        self.lab.leave_free(0)
        try:
            time.sleep(self.random.uniform(1, 6))
            if self.random.random() < 0.5:
                self.lab.first.kill()
                time.sleep(3)
        finally:
            self.lab.leave_free(None)

    def network(self, mode):
        for link in self.lab.links:
            link.set(mode)
        time.sleep(self.random.uniform(3, 12))
        for link in self.lab.links:
            link.set("clear")

    def database_network(self):
        self.lab.database_link.set(self.random.choice(["slow", "cut", "nowhere"]))
        time.sleep(self.random.uniform(3, 12))
        self.lab.database_link.set("clear")

    def clock(self):
        clock = self.random.choice(self.lab.clocks)
        clock.set(self.random.choice(["-2d", "-2h", "+2h", "+2d"]))
        time.sleep(self.random.uniform(3, 10))
        clock.set("+0")

    def race(self):
        """One of them makes the admin's token, and what is sent to all is stored once."""
        with Three(self.lab) as three:
            if self.random.random() < 0.5:
                time.sleep(self.random.uniform(0, 0.5))
                self.random.choice(three.servers).kill()
            if not three.ready(self.ledger):
                return
            tokens = [path.read_text().strip() for path in three.folder.glob("*/token")]
            admins = self.lab.psql("SELECT count(*) FROM tokens WHERE role = 'admin' AND revoked_at IS NULL", three.name)
            if admins != [["1"]] or len(tokens) > 1:
                self.ledger.complain(f"{admins} admins' tokens and {len(tokens)} files of them after a race")
            if not tokens:
                # Whoever made it was killed before it could say so.
                return
            self._send_to_all(three, tokens[0])

    def _send_to_all(self, three, token):
        sample = self.ledger.sample("race") | {"id": str(uuid.UUID(int=self.random.getrandbits(128), version=4))}
        headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        body = json.dumps({"samples": [sample]})
        answers = [ask(server.port, "POST", "/v1/samples", body, headers) for server in three.servers]
        stored = sum(json.loads(text)["stored"] for status, _, text in answers if status == 200)
        if stored != 1:
            self.ledger.complain(f"three servers stored one sample {stored} times: {answers}")


class Three:
    """Three servers that start at once on a database of their own."""

    number = 0

    def __init__(self, lab):
        Three.number += 1
        self.lab, self.name = lab, f"race_{Three.number}"
        self.folder = lab.folder / self.name
        self.folder.mkdir()
        lab.psql(f"CREATE DATABASE {self.name}")
        socket = lab.first.data / "socket"
        url = f"postgres://kerncast@localhost/{self.name}?host={socket}"
        self.servers = [Server(f"{which}", lab.binary, ["--database-url", url], self.folder) for which in "abc"]

    def __enter__(self):
        for server in self.servers:
            server.start()
        return self

    def ready(self, ledger):
        took = wait(lambda: all(server.ready() for server in self.servers), 90)
        if took is None:
            ledger.complain(f"three servers on {self.name} are not ready in 90 s")
        return took is not None

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()
        self.lab.psql(f"DROP DATABASE {self.name} WITH (FORCE)")
        shutil.rmtree(self.folder)
