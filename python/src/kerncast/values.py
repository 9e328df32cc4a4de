"""A forecast as plain values."""

from __future__ import annotations

from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class Interval:
    """The range that holds an unseen kernel's time with probability `level`."""

    low_s: float
    high_s: float
    level: float


@dataclass(frozen=True)
class Trust:
    """How far to trust a forecast: `high`, `fair`, `low` or `none`, and the reason."""

    word: str
    why: str


@dataclass(frozen=True, repr=False)
class ForecastValues:
    """The forecast of one counter set on one device, or why there is none. Times are seconds."""

    name: str | None
    """Kernel, variant and sizes, or the name of the counter set; None where it has none."""
    device: int
    """The server's id of the device."""
    device_name: str
    trust: Trust
    """How far to trust it."""
    time_s: float | None = None
    """None where no model can forecast it: `refusal` says why. A linear model may give a time at or below 0, which is
    impossible: `trust` says so."""
    interval: Interval | None = None
    """None where there is no interval: `no_interval` says why."""
    no_interval: str | None = None
    refusal: str | None = None
    measured_s: float | None = None
    """The measured time on the device, where it is known."""
    measured_lies: str | None = None
    """Where the measured time lies: `below`, `within` or `above` the interval; None where either is missing."""
    warnings: tuple[str, ...] = ()
    """The server's warnings."""
    pending: tuple[str, ...] = ()
    """Pending fits that may change the forecast."""
    contributions: pd.Series = field(default_factory=lambda: pd.Series(dtype=float))
    """Seconds by counter, the largest first; `(rest)` is not explained by counters. They add up to `time_s`."""
    others: pd.DataFrame = field(default_factory=pd.DataFrame)
    """Forecasts of other models: method, provider, time_s, low_s, high_s, disagrees, model."""
    outside: pd.DataFrame = field(default_factory=pd.DataFrame)
    """Counters outside the range that the model has seen: counter, value, min, max, times."""
    missing: tuple[str, ...] = ()
    """Counters of the model that the set lacks."""
    unknown: tuple[str, ...] = ()
    """Counters of the set that the model does not use."""
    baseline_s: float | None = None
    """The forecast of the paper's method; None where that method answered, or has no model."""
    model: str | None = None
    """The id of the model that answered."""
    method: str | None = None
    provider: str | None = None
    mean_ape: float | None = None
    """The model's mean error on unseen kernels, as a share of the measured time."""

    @property
    def is_alarm(self) -> bool:
        """Whether the measured time lies outside the interval."""
        return self.measured_lies in ("below", "above")

    @property
    def doubts(self) -> tuple[str, ...]:
        """All reasons for doubt, the worst first."""
        doubts = []
        if self.time_s is None:
            doubts.append(f"no forecast: {self.refusal}")
        elif self.time_s <= 0:
            doubts.append("the forecast is at or below 0, which no time can be")
        elif self.interval is None:
            doubts.append(f"no interval: {self.no_interval or 'the server does not say why'}")
        if self.is_alarm:
            doubts.append(
                f"the measured time lies {self.measured_lies} the interval: the model is wrong about this kernel"
            )
        if self.pending:
            doubts.append(f"pending fits may change the forecast: {', '.join(self.pending)}")
        return (*doubts, *self.warnings)
