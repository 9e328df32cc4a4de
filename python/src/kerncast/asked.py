"""What is to be forecast: from samples and counters to requests."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pandas as pd

from .errors import FieldProblem, KerncastError
from .rest.models import DeviceSummary, PredictionRequest, Sample

# Sets in a request, and predictions in an answer.
_SETS, _PREDICTIONS = 500, 10_000
# The microbenchmark of local memory counts its own loads, and no model forecasts its times.
_NOT_COUNTERS = "local_memory"


@dataclass(frozen=True)
class Case:
    """A counter set to forecast."""

    name: str | None
    counters: dict[str, dict[str, float]]
    device: int | None
    """Where the counters are from, where that is known."""
    time_s: float | None
    """What it took there."""


def ids(samples: str | UUID | Iterable[str | UUID] | pd.DataFrame) -> list[UUID]:
    """Ids of samples, whatever they are given as."""
    if isinstance(samples, pd.DataFrame):
        samples = samples["id"].tolist()
    elif isinstance(samples, str | UUID):
        samples = [samples]
    found = []
    for it in samples:
        try:
            found.append(UUID(str(it)))
        except ValueError as error:
            raise KerncastError(f"{it!r} is no sample's id: expected a UUID") from error
    return found


def newest(all_: list[Sample], kernel: str, size: Mapping[str, int] | None) -> list[Sample]:
    """Of the samples of a kernel that count, the newest of each workload on each device, at `size` alone where one
    is given.

    Raises:
        KerncastError: there is none; which sizes there are.
    """
    wanted = None if size is None else dict(size)
    kept: dict[Any, Sample] = {}
    for it in sorted(all_, key=lambda it: it.measured_at, reverse=True):
        sizes = _sizes(it)
        if it.standing in ("quarantined", "rejected") or (wanted is not None and sizes != wanted):
            continue
        workload = (it.workload.variant, tuple(sorted(sizes.items())), it.device.vendor, it.device.name)
        kept.setdefault(workload, it)
    if not kept:
        sizes_there = sorted({_in_words(_sizes(it)) for it in all_})
        has = f"it at {'; '.join(sizes_there)}" if sizes_there else "no sample of it there"
        at = f" at {_in_words(wanted)}" if wanted else ""
        raise KerncastError(f"kernel {kernel}{at}: the server has {has}")
    return list(kept.values())


def of_samples(samples: list[Sample], devices: Sequence[DeviceSummary]) -> tuple[list[Case], list[str]]:
    """Each sample with counters as a case, and what was left out."""
    known = {(it.vendor, it.name): it.id for it in devices}
    cases, notes = [], []
    for it in samples:
        readings = it.readings.to_dict() if it.readings else {}
        counters = {
            provider: dict(reading["counters"])
            for provider, reading in readings.items()
            if provider != _NOT_COUNTERS and reading.get("counters")
        }
        name = f"{it.workload.kernel} {it.workload.variant} {_in_words(_sizes(it))}".strip()
        if not counters:
            notes.append(f"{name} (sample {it.id}) has no kernel’s counters: left out")
            continue
        device = known[(it.device.vendor, it.device.name)]
        cases.append(Case(name, counters, device, statistics.median(it.times.repetitions_s)))
    if not cases:
        raise KerncastError("; ".join(notes) or "there is no sample to forecast")
    return cases, notes


def of_counters(
    counters: Mapping[str, Any] | Sequence[Mapping[str, Any]], source: int | None, time_s: float | None
) -> list[Case]:
    """One set, or several with or without names.

    Raises:
        KerncastError: a number is NaN or infinite, which no JSON can say: which.
    """
    named: list[tuple[str | None, Mapping[str, Any]]]
    if not isinstance(counters, Mapping):
        named = [(None, it) for it in counters]
    elif _depth(counters) <= 2:
        named = [(None, counters)]
    else:
        named = list(counters.items())
    if time_s is not None and len(named) != 1:
        raise TypeError("time_s is of one counter set; there are several")
    if time_s is not None:
        _finite("/time_s", time_s)
    cases = []
    for place, (name, counted) in enumerate(named):
        base = "" if len(named) == 1 else f"/counter_sets/{place}"
        own = {provider: dict(it) for provider, it in counted.items()}
        for provider, it in own.items():
            for counter, number in it.items():
                _finite(f"{base}/counters/{provider}/{counter}", number)
        cases.append(Case(name, own, source, time_s))
    return cases


def _finite(field: str, value: object) -> None:
    """What is no number at all, the server refuses."""
    if isinstance(value, float) and not math.isfinite(value):
        expected = "a finite number"
        problem = FieldProblem(field, str(value), expected)
        raise KerncastError(f"{field} is {value}; expected {expected}", errors=(problem,))


def requests(
    cases: list[Case], targets: list[int] | None, method: str | None
) -> Iterator[tuple[list[int], PredictionRequest]]:
    """What to ask: cases of one device together, those that it forecasts itself apart from those across devices. Each
    with its cases' places among all."""
    groups: dict[tuple[int | None, tuple[int, ...]], list[int]] = {}
    for place, it in enumerate(cases):
        wanted = targets if targets is not None else [it.device] if it.device is not None else []
        own = tuple(device for device in wanted if device == it.device)
        others = tuple(device for device in wanted if device != it.device)
        if own or not others:
            groups.setdefault((None, own), []).append(place)
        if others:
            groups.setdefault((it.device, others), []).append(place)
    for (counted_on, devices), places in groups.items():
        most = max(1, min(_SETS, _PREDICTIONS // max(1, len(devices))))
        for first in range(0, len(places), most):
            some = places[first : first + most]
            request: dict[str, Any] = {"counter_sets": [_set(cases[it], counted_on) for it in some]}
            if method is not None:
                request["method"] = method
            if devices:
                request["devices"] = list(devices)
            if counted_on is not None:
                request["counted_on"] = counted_on
            yield some, PredictionRequest.from_dict(request)


def _set(it: Case, counted_on: int | None) -> dict[str, Any]:
    counted: dict[str, Any] = {"counters": it.counters}
    if it.name is not None:
        counted["name"] = it.name
    if it.time_s is not None and counted_on is not None:
        counted["time_s"] = it.time_s
    if it.time_s is not None and it.device is not None:
        counted["measured"] = {"device": it.device, "time_s": it.time_s}
    return counted


def _sizes(sample: Sample) -> dict[str, int]:
    parameters = sample.workload.parameters
    return dict(parameters.to_dict()) if parameters else {}


def _in_words(sizes: Mapping[str, int]) -> str:
    return " ".join(f"{name}={size}" for name, size in sizes.items())


def _depth(counters: Mapping[str, Any]) -> int:
    inner = [_depth(it) for it in counters.values() if isinstance(it, Mapping)]
    return 1 + max(inner, default=0)
