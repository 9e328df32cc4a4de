"""Devices by the names that people give them, by the rules of the program `kerncast`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from .errors import KerncastError
from .rest.models import DeviceSummary

# Words of marketing names that tell no device from another.
_FILLERS = {"NVIDIA", "AMD", "Intel", "Processor", "CPU", "GPU"}


def short_name(name: str) -> str:
    """`H200` of `NVIDIA H200`, `EPYC` of `pthread-skylake-avx512-AMD EPYC`. A name of nothing else stays as it is."""
    name_of_maker = re.sub(r"^(?:pthread|cpu)-\S*-", "", re.sub(r"\((?:R|TM)\)", " ", name))
    words = re.sub(r" @.*", "", name_of_maker).split()
    kept = [word for word in words if word not in _FILLERS and not word.endswith("-Core")]
    return " ".join(kept) or name


def one(devices: Sequence[DeviceSummary], wish: int | str) -> DeviceSummary:
    """The device of this id, or of this name: the whole one or the short one, else a part of it, in any case.

    Raises:
        KerncastError: none is called so, or several are: which there are.
    """
    text = str(wish).strip()
    if text.isdecimal():
        found = [it for it in devices if it.id == int(text)]
    else:
        lower = text.lower()
        found = [it for it in devices if lower in (it.name.lower(), short_name(it.name).lower())]
        found = found or [it for it in devices if lower in it.name.lower()]
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"{it.id}: {it.name} ({it.vendor})" for it in found or devices)
    if found:
        raise KerncastError(f"several devices of the server are called {text!r}; name one by its id: {listed}")
    raise KerncastError(f"the server knows no device {text!r}; it knows {listed or 'none: it has no samples yet'}")
