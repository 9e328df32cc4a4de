"""Devices by name, with the rules of the program `kerncast`."""

from __future__ import annotations

from collections.abc import Sequence

from .errors import KerncastError
from .rest.models import DeviceSummary


def find_device(devices: Sequence[DeviceSummary], name: int | str) -> DeviceSummary:
    """The device with this id or name. A name may be whole, short or a part of either, in any case.

    Raises:
        KerncastError: no device has this name, or several have. The message lists them.
    """
    text = str(name).strip()
    if text.isdecimal():
        matches = [it for it in devices if it.id == int(text)]
    else:
        lower = text.lower()
        matches = [it for it in devices if lower in (it.name.lower(), it.short_name.lower())]
        # With `Xeon` and `Xeon (PoCL, 2 units)`, the name `xeon` is ambiguous.
        if any(it.short_name.lower() == lower for it in matches):
            matches += [it for it in devices if it.short_name.lower().startswith(f"{lower} (")]
        matches = matches or [it for it in devices if lower in f"{it.name}\n{it.short_name}".lower()]
    if len(matches) == 1:
        return matches[0]
    listing = "; ".join(f"{it.id}: {it.short_name} ({it.name})" for it in matches or devices)
    if matches:
        raise KerncastError(f"several devices are called {text!r}; give one of these ids: {listing}")
    raise KerncastError(f"the server has no device {text!r}; it has {listing or 'none, because it has no samples yet'}")
