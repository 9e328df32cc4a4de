"""Listings as pandas DataFrames."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pandas as pd

from .rest.models import DeviceSummary, ModelSummary

_TEXTS = ("device", "vendor", "kernel", "variant", "id", "agent", "flags")
_WORDS = ("family", "origin", "standing")
# Limits of a device; missing where they are unknown.
_LIMITS = (
    "compute_units",
    "global_memory_bytes",
    "local_memory_bytes",
    "max_work_group_size",
    "max_buffer_bytes",
    "cache_bytes",
)
# Units of columns whose names have none.
_UNITS = {"cv": "standard deviation ÷ mean", "n": "repetitions", "launches_per_repetition": "launches"}


def samples(text: str) -> pd.DataFrame:
    """A row per sample, from the server's CSV."""
    header = pd.read_csv(io.StringIO(text), nrows=0).columns
    dtypes: dict[str, str] = dict.fromkeys(_TEXTS, "string") | dict.fromkeys(_WORDS, "category")
    dtypes |= {"time_s": "float64", "min_s": "float64", "cv": "float64", "n": "int64"}
    dtypes |= {"launches_per_repetition": "int64", "settled": "boolean", "generated": "boolean"}
    for name in header:
        # A size is a whole number, and most kernels have only a few of the parameters.
        dtypes.setdefault(name, "Int64" if name.startswith("param:") else "float64")
    # A kernel may be called NA.
    frame = pd.read_csv(
        io.StringIO(text), dtype=dtypes, parse_dates=["measured_at"], keep_default_na=False, na_values=[""]
    )
    frame["measured_at"] = pd.to_datetime(frame["measured_at"], utc=True, format="ISO8601")
    # Without sizes and counters that no sample has.
    return with_units(frame.drop(columns=[name for name in frame if ":" in name and frame[name].isna().all()]))


def models(summaries: Iterable[ModelSummary], devices: dict[int, str]) -> pd.DataFrame:
    """A row per model. `devices` are short names by id."""
    rows = []
    for it in summaries:
        specification = it.specification
        row = {
            "id": str(it.id),
            "device": devices.get(specification.device, str(specification.device)),
            "counted_on": devices.get(specification.counted_on) if specification.counted_on else None,
            "provider": specification.provider,
            "method": specification.method,
            "response": specification.response or "time",
            "champion": it.champion,
            "rank": it.rank or None,
            "samples": it.samples,
            "kernels": it.kernels,
            "created_at": it.created_at,
        }
        for key in ("row", "kernel", "family", "device"):
            errors = getattr(it, f"leave_one_{key}_out", None)
            row[f"{key}_factor"] = errors.factor or None if errors else None
            row[f"{key}_mean_ape"] = errors.mean_ape or None if errors else None
        row["counters"] = len(specification.counters or [])
        row["warnings"] = len(it.warnings or [])
        row["refusal"] = it.refusal or None
        rows.append(row)
    frame = pd.DataFrame(rows)
    if frame.empty:
        return frame
    texts = ["id", "device", "counted_on", "provider", "method", "response", "refusal"]
    numbers = [name for name in frame if name.endswith(("_factor", "_mean_ape"))]
    dtypes = dict.fromkeys(texts, "string") | dict.fromkeys(numbers, "float64") | {"rank": "Int64"}
    frame = frame.astype(dtypes)
    frame["created_at"] = pd.to_datetime(frame["created_at"], utc=True)
    frame.attrs["units"] = {
        name: "×/÷" if name.endswith("_factor") else "share of the measured time" for name in numbers
    }
    return frame


def devices(summaries: Iterable[DeviceSummary]) -> pd.DataFrame:
    """A row per device. Ceilings are rates per second, or seconds, as their names say."""
    rows = []
    for it in summaries:
        row = {
            "id": it.id,
            "name": it.name,
            "short_name": it.short_name,
            "vendor": it.vendor,
            "kind": it.kind,
            **{name: getattr(it, name) or None for name in _LIMITS},
            "samples": it.samples,
            "kernels": it.kernels,
            "last_measured_at": it.last_measured_at or None,
            "shipped": it.shipped,
        }
        if it.ceilings:
            ceilings = it.ceilings.to_dict()
            row |= {name: value for name, value in ceilings.items() if isinstance(value, float | int)}
        rows.append(row)
    frame = pd.DataFrame(rows)
    if frame.empty:
        return frame
    frame = frame.astype(dict.fromkeys(("name", "short_name", "vendor", "kind"), "string"))
    frame = frame.astype(dict.fromkeys(_LIMITS, "Int64"))
    frame["last_measured_at"] = pd.to_datetime(frame["last_measured_at"], utc=True)
    return with_units(frame.set_index("id"))


def with_units(frame: pd.DataFrame) -> pd.DataFrame:
    """Sets `attrs["units"]`: the units of columns, where they are known."""
    units = {name: unit for name, unit in _UNITS.items() if name in frame}
    for name in map(str, frame):
        if name.endswith("_per_s"):
            units[name] = f"{name.removesuffix('_per_s').rsplit('_', 1)[-1]}/s"
        elif name.endswith("_s"):
            units[name] = "s"
        elif name.endswith("_bytes"):
            units[name] = "byte"
    frame.attrs["units"] = units
    return frame
