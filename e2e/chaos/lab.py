"""Two servers on one database: a private Postgres of the first, which the second reaches over a link of its own."""

import os
import subprocess

from clock import Clock
from network import Network
from services import Server, free_port, wait

# Of the disk; more than Postgres's write-ahead log and the samples of an hour take.
ROOM = "6g"


class Lab:
    def __init__(self, run):
        self.binary, self.folder = run.server, run.folder
        self.disk = self.folder / "disk"
        self.disk.mkdir()
        self.has_disk = self.mount(ROOM, "")
        self.clocks = []
        self.network = Network(run.seed)
        self.first = Server("first", self.binary, [], self.disk, self.clock("first"))
        socket = self.first.data / "socket"
        link = self.folder / "link"
        link.mkdir()
        self.database_link = self.network.link(str(link / ".s.PGSQL.5432"), str(socket / ".s.PGSQL.5432"))
        self.second = Server("second", self.binary, ["--database-url", f"postgres://kerncast@localhost/postgres?host={link}"],
                             self.folder, self.clock("second"))
        self.servers = [self.first, self.second]
        ports = [free_port(), free_port()]
        self.links = [self.network.link(("127.0.0.1", port), ("127.0.0.1", server.port))
                      for port, server in zip(ports, self.servers)]
        self.ports = ports

    def clock(self, name):
        if not Clock.library():
            return {}
        clock = Clock(self.folder / f"clock-{name}")
        self.clocks.append(clock)
        return clock.followed()

    def start(self):
        """Starts both; the second has a database only when the first has."""
        self.first.start()
        wait(self.first.ready, 120)
        self.second.start()

    def ready(self):
        return all(server.ready() for server in self.servers)

    def postmaster(self):
        """The process that runs now; none where it does not."""
        try:
            return int((self.first.data / "postgres" / "postmaster.pid").read_text().split()[0])
        except (OSError, ValueError, IndexError):
            return None

    def psql(self, command, database="postgres"):
        """The command's rows, as lists of texts."""
        return self.first.psql(command, database)

    def mount(self, size, how):
        """The disk, of this size: a file system in memory. Only root can."""
        if os.geteuid() != 0:
            return False
        options = f"{how}size={size},mode=755"
        return subprocess.run(["mount", "-t", "tmpfs", "-o", options, "kerncast-chaos", self.disk],
                              stderr=subprocess.DEVNULL).returncode == 0

    def leave_free(self, free):
        """Makes the disk so large that this many bytes are free; none: as large as it was."""
        if free is None:
            self.mount(ROOM, "remount,")
            return
        at = os.statvfs(self.disk)
        used = (at.f_blocks - at.f_bfree) * at.f_frsize
        self.mount(str(used + free), "remount,")

    def stop(self):
        for server in reversed(self.servers):
            server.stop()
        if self.has_disk:
            subprocess.run(["umount", self.disk])
