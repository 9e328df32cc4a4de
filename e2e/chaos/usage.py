"""What processes take: memory in MiB, processors' time in seconds; and somebody who looks at it."""

import contextlib
import os
import pathlib
import threading
import time

from services import children, pending


def resident(pid, line="VmRSS"):
    """A process's own; `VmHWM`: the most that it ever was."""
    for text in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if text.startswith(f"{line}:"):
            return int(text.split()[1]) / 1024
    raise RuntimeError(f"/proc/{pid}/status has no {line}")


def shared_out(pid):
    """A process's and that of all that it has started, what they share counted once."""
    total = 0
    with contextlib.suppress(OSError, StopIteration):
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        total = int(next(line for line in lines if line.startswith("Pss:")).split()[1]) / 1024
    return total + sum(shared_out(child) for child in children(pid))


def processors(pid):
    """A process's own, of all its threads."""
    # Its name, in brackets, may have blanks.
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Watch(threading.Thread):
    """Looks at a server every so many seconds, and tells every so many, from `with` on until its end."""

    def __init__(self, server, ledger, look, tell):
        super().__init__(daemon=True)
        self.server, self.ledger, self.look, self.tell = server, ledger, look, tell
        self.ended = threading.Event()
        self.own, self.all_of_it, self.loads = [], [], []

    def __enter__(self):
        self.began = time.monotonic()
        self.start()
        return self

    def __exit__(self, *_):
        self.ended.set()
        self.join()

    def run(self):
        told = 0
        while not self.ended.wait(self.look):
            pid = self.server.process.pid
            self.own.append(resident(pid))
            self.all_of_it.append(shared_out(pid))
            self.loads.append(os.getloadavg()[0])
            at = time.monotonic() - self.began
            if at - told < self.tell:
                continue
            told, waiting = at, pending(self.server)
            print(f"{at:6.0f} s  {len(self.ledger.acknowledged):9,} samples acknowledged, "
                  f"{'?' if waiting is None else waiting} fits wait; server {self.own[-1]:5.0f} MiB, with its Postgres "
                  f"{self.all_of_it[-1]:5.0f} MiB; load {self.loads[-1]:.1f}", flush=True)
