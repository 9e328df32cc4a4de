"""Devices by the names that people give them, by the rules of the program `kerncast`."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import KerncastError
from .rest.models import DeviceSummary


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
        found = [it for it in devices if lower in (it.name.lower(), it.short_name.lower())]
        # Beside `Xeon (PoCL, 2 units)`, nobody can know which `xeon` is meant.
        if any(it.short_name.lower() == lower for it in found):
            found += [it for it in devices if it.short_name.lower().startswith(f"{lower} (")]
        found = found or [it for it in devices if lower in f"{it.name}\n{it.short_name}".lower()]
    if len(found) == 1:
        return found[0]
    listed = "; ".join(f"{it.id}: {it.short_name} ({it.name})" for it in found or devices)
    if found:
        raise KerncastError(f"several devices of the server are called {text!r}; name one by its id: {listed}")
    raise KerncastError(f"the server knows no device {text!r}; it knows {listed or 'none: it has no samples yet'}")
