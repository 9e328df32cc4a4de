"""Numbers as people read them."""

from __future__ import annotations

_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))


def format_seconds(time_s: float) -> str:
    """`21.1 ms` for 0.0211: three digits, and the unit in which it is 1 or more."""
    unit, size = next(((it, size) for it, size in _UNITS if abs(time_s) >= size), _UNITS[-1])
    number = f"{time_s / size:.3g}"
    return f"{time_s / size:.0f} {unit}" if "e" in number else f"{number} {unit}"
