"""What processes take: memory in MiB, processors' time in seconds."""

import contextlib
import os
import pathlib

from services import children


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
