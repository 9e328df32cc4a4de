"""Requests for forecasts, made from samples or counters."""

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

# The most counter sets in a request, and predictions in an answer.
_MOST_SETS, _MOST_PREDICTIONS = 500, 10_000
# The provider of the local-memory microbenchmark: no model forecasts a kernel from its counters.
_MICROBENCHMARK = "local_memory"


@dataclass(frozen=True)
class Case:
    """A counter set to forecast."""

    name: str | None
    counters: dict[str, dict[str, float]]
    device: int | None
    """The device that was counted on; None where that is unknown."""
    time_s: float | None
    """The measured time there, in seconds; None where that is unknown."""


def sample_ids(samples: str | UUID | Iterable[str | UUID] | pd.DataFrame) -> list[UUID]:
    """The samples' ids, from ids or from a frame of samples."""
    if isinstance(samples, pd.DataFrame):
        samples = samples["id"].tolist()
    elif isinstance(samples, str | UUID):
        samples = [samples]
    ids = []
    for it in samples:
        try:
            ids.append(UUID(str(it)))
        except ValueError as error:
            raise KerncastError(f"{it!r} is not the id of a sample; expected a UUID") from error
    return ids


def newest_samples(samples: list[Sample], kernel: str, size: Mapping[str, int] | None) -> list[Sample]:
    """A kernel's newest sample of each workload on each device, without samples that are set aside.

    Args:
        size: Only workloads of this size; None: of all sizes.

    Raises:
        KerncastError: there is no such sample. The message lists the sizes that have samples.
    """
    newest: dict[Any, Sample] = {}
    for it in sorted(samples, key=lambda it: it.measured_at, reverse=True):
        sizes = _sizes(it)
        if it.standing in ("quarantined", "rejected") or (size is not None and sizes != dict(size)):
            continue
        workload = (it.workload.variant, tuple(sorted(sizes.items())), it.device.vendor, it.device.name)
        newest.setdefault(workload, it)
    if not newest:
        measured = sorted({_size_text(_sizes(it)) for it in samples})
        at = f" at {_size_text(size)}" if size else ""
        instead = f"; there are samples at {'; '.join(measured)}" if measured else ""
        raise KerncastError(f"there is no sample of kernel {kernel}{at}{instead}")
    return list(newest.values())


def cases_of_samples(samples: list[Sample], devices: Sequence[DeviceSummary]) -> tuple[list[Case], list[str]]:
    """A case for each sample with counters, and a note for each sample without."""
    device_ids = {(it.vendor, it.name): it.id for it in devices}
    cases, notes = [], []
    for it in samples:
        readings = it.readings.to_dict() if it.readings else {}
        counters = {
            provider: dict(reading["counters"])
            for provider, reading in readings.items()
            if provider != _MICROBENCHMARK and reading.get("counters")
        }
        name = f"{it.workload.kernel} {it.workload.variant} {_size_text(_sizes(it))}".strip()
        if not counters:
            notes.append(f"{name} (sample {it.id}) has no counters of the kernel, and was left out")
            continue
        device = device_ids[(it.device.vendor, it.device.name)]
        cases.append(Case(name, counters, device, statistics.median(it.times.repetitions_s)))
    if not cases:
        raise KerncastError("; ".join(notes) or "there is no sample to forecast")
    return cases, notes


def cases_of_counters(
    counters: Mapping[str, Any] | Sequence[Mapping[str, Any]], source: int | None, time_s: float | None
) -> list[Case]:
    """A case for each counter set: one set, or several with or without names.

    Raises:
        KerncastError: a number is NaN or infinite, which JSON can't hold. The message names it.
    """
    named: list[tuple[str | None, Mapping[str, Any]]]
    if not isinstance(counters, Mapping):
        named = [(None, it) for it in counters]
    elif _depth(counters) <= 2:
        named = [(None, counters)]
    else:
        named = list(counters.items())
    if time_s is not None and len(named) != 1:
        raise TypeError("time_s needs exactly one counter set")
    if time_s is not None:
        _check_finite("/time_s", time_s)
    cases = []
    for place, (name, counter_set) in enumerate(named):
        base = "" if len(named) == 1 else f"/counter_sets/{place}"
        by_provider = {provider: dict(it) for provider, it in counter_set.items()}
        for provider, it in by_provider.items():
            for counter, number in it.items():
                _check_finite(f"{base}/counters/{provider}/{counter}", number)
        cases.append(Case(name, by_provider, source, time_s))
    return cases


def _check_finite(field: str, value: object) -> None:
    """Refuses NaN and infinity. The server refuses what is not a number."""
    if isinstance(value, float) and not math.isfinite(value):
        expected = "a finite number"
        problem = FieldProblem(field, str(value), expected)
        raise KerncastError(f"{field} is {value}; expected {expected}", errors=(problem,))


def build_requests(
    cases: list[Case], targets: list[int] | None, method: str | None
) -> Iterator[tuple[list[int], PredictionRequest]]:
    """Requests of cases that share targets and the device counted on, each with its cases' places in `cases`. Forecasts
    of the device that was counted on, and of other devices, are separate requests."""
    groups: dict[tuple[int | None, tuple[int, ...]], list[int]] = {}
    for place, it in enumerate(cases):
        devices = targets if targets is not None else [it.device] if it.device is not None else []
        own = tuple(device for device in devices if device == it.device)
        others = tuple(device for device in devices if device != it.device)
        if own or not others:
            groups.setdefault((None, own), []).append(place)
        if others:
            groups.setdefault((it.device, others), []).append(place)
    for (counted_on, device_ids), places in groups.items():
        most = max(1, min(_MOST_SETS, _MOST_PREDICTIONS // max(1, len(device_ids))))
        for first in range(0, len(places), most):
            chunk = places[first : first + most]
            request: dict[str, Any] = {"counter_sets": [_counter_set(cases[it], counted_on) for it in chunk]}
            if method is not None:
                request["method"] = method
            if device_ids:
                request["devices"] = list(device_ids)
            if counted_on is not None:
                request["counted_on"] = counted_on
            yield chunk, PredictionRequest.from_dict(request)


def _counter_set(it: Case, counted_on: int | None) -> dict[str, Any]:
    body: dict[str, Any] = {"counters": it.counters}
    if it.name is not None:
        body["name"] = it.name
    if it.time_s is not None and counted_on is not None:
        body["time_s"] = it.time_s
    if it.time_s is not None and it.device is not None:
        body["measured"] = {"device": it.device, "time_s": it.time_s}
    return body


def _sizes(sample: Sample) -> dict[str, int]:
    parameters = sample.workload.parameters
    return dict(parameters.to_dict()) if parameters else {}


def _size_text(sizes: Mapping[str, int]) -> str:
    return " ".join(f"{name}={size}" for name, size in sizes.items())


def _depth(counters: Mapping[str, Any]) -> int:
    inner = [_depth(it) for it in counters.values() if isinstance(it, Mapping)]
    return 1 + max(inner, default=0)
