"""A forecast, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import pandas as pd

from .rest.models import PredictionForecast, PredictionRefused

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Interval:
    """Where the time of a kernel lies that the model has not seen, with probability `level`."""

    low_s: float
    high_s: float
    level: float


@dataclass(frozen=True)
class Trust:
    """The server's word, `high`, `fair`, `low` or `none`, and why not better."""

    word: str
    why: str


@dataclass(frozen=True, repr=False)
class Forecast:
    """What became of one counter set on one device. Times are seconds."""

    name: str | None
    """What it is of: kernel, variant, sizes; None where that was not said."""
    device: int
    """The server's id of the device."""
    device_name: str
    trust: Trust
    """How far to believe it."""
    time_s: float | None = None
    """None where no model can forecast it: `refusal` says why. At or below 0 it is no time: `trust` says so."""
    interval: Interval | None = None
    """None where there is none: `no_interval` says why."""
    no_interval: str | None = None
    refusal: str | None = None
    measured_s: float | None = None
    """What it took on the device, where that is known."""
    measured_lies: str | None = None
    """`below`, `within` or `above` the interval; None where one of the two is missing."""
    warnings: tuple[str, ...] = ()
    """What speaks against believing it, in the server's words."""
    pending: tuple[str, ...] = ()
    """Fits under way that may change the answer."""
    contributions: pd.Series = field(default_factory=lambda: pd.Series(dtype=float))
    """Seconds by counter, the largest first; `(rest)` is what no counter explains. They add up to `time_s`."""
    others: pd.DataFrame = field(default_factory=pd.DataFrame)
    """What other models say: method, provider, time_s, low_s, high_s, disagrees, model."""
    outside: pd.DataFrame = field(default_factory=pd.DataFrame)
    """Counters outside what the model has seen: counter, value, min, max, times."""
    missing: tuple[str, ...] = ()
    """Counters of the model that the set lacks."""
    unknown: tuple[str, ...] = ()
    """Counters of the set that the model does not use."""
    baseline_s: float | None = None
    """What the paper's method says; None where it is the one that answered, or has no model."""
    model: str | None = None
    """The id of the model that answered."""
    method: str | None = None
    provider: str | None = None
    mean_ape: float | None = None
    """The model's mean absolute error on kernels that it had not seen, as a share of the measured time."""

    @property
    def is_alarm(self) -> bool:
        """Whether the measured time lies outside the interval."""
        return self.measured_lies in ("below", "above")

    @property
    def doubts(self) -> tuple[str, ...]:
        """All that speaks against believing it, the worst first."""
        found = []
        if self.time_s is None:
            found.append(f"no forecast: {self.refusal}")
        elif self.time_s <= 0:
            found.append("a time at or below 0 is no time")
        elif self.interval is None:
            found.append(f"no interval: {self.no_interval or 'the server does not say why'}")
        if self.is_alarm:
            found.append(f"the measured time lies {self.measured_lies} the interval: the model is wrong about it")
        if self.pending:
            found.append(f"pending, and may change the answer: {', '.join(self.pending)}")
        return (*found, *self.warnings)

    def figure(self) -> Figure:
        """The forecast with its interval and the measured time, and where the time goes.

        Raises:
            ImportError: matplotlib is not there (`pip install "kerncast[plot]"`).
        """
        from . import figures

        return figures.of_one(self)

    def __repr__(self) -> str:
        from .html import seconds

        what = self.name or "counter set"
        said = self.refusal if self.time_s is None else seconds(self.time_s)
        trust = self.trust
        return f"<Forecast {what} on {self.device_name}: {said}; trust {trust.word}: {trust.why}>"

    def _repr_html_(self) -> str:
        from . import html

        return html.of_one(self)


class Forecasts(Sequence[Forecast]):
    """Forecasts in the order of what was asked. One alone shows itself whole, several as a table."""

    def __init__(self, forecasts: Sequence[Forecast], notes: Sequence[str] = ()) -> None:
        self._all = tuple(forecasts)
        self.notes = tuple(notes)
        """What was asked for and left out, and why."""

    @overload
    def __getitem__(self, index: int) -> Forecast: ...
    @overload
    def __getitem__(self, index: slice) -> Forecasts: ...
    def __getitem__(self, index: int | slice) -> Forecast | Forecasts:
        if isinstance(index, slice):
            return Forecasts(self._all[index], self.notes)
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Forecast]:
        return iter(self._all)

    @property
    def frame(self) -> pd.DataFrame:
        """A row a forecast: name, device, time_s, low_s, high_s, measured_s, ratio (forecast ÷ measured), trust, why,
        method, provider, doubts (how many). Times are seconds."""
        rows = [
            {
                "name": it.name,
                "device": it.device_name,
                "time_s": it.time_s,
                "low_s": it.interval.low_s if it.interval else None,
                "high_s": it.interval.high_s if it.interval else None,
                "measured_s": it.measured_s,
                "ratio": it.time_s / it.measured_s if it.time_s and it.measured_s else None,
                "trust": it.trust.word,
                "why": it.trust.why,
                "method": it.method,
                "provider": it.provider,
                "doubts": len(it.doubts),
            }
            for it in self
        ]
        numbers = ["time_s", "low_s", "high_s", "measured_s", "ratio"]
        columns = ["name", "device", *numbers, "trust", "why", "method", "provider", "doubts"]
        return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(numbers, float))

    def figure(self) -> Figure:
        """Every forecast with its interval, and what was measured: red where that lies outside.

        Raises:
            ImportError: matplotlib is not there (`pip install "kerncast[plot]"`).
        """
        from . import figures

        return figures.of_several(self)

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self), *self.notes])

    def _repr_html_(self) -> str:
        from . import html

        return html.of_one(self[0]) if len(self) == 1 else html.of_several(self)


def of(prediction: PredictionForecast | PredictionRefused, device_name: str) -> Forecast:
    """What the server's answer says."""
    asked: dict[str, Any] = {
        "name": prediction.name or None,
        "device": prediction.device,
        "device_name": device_name,
        "trust": Trust(prediction.trust.word, prediction.trust.why),
        "measured_s": prediction.measured_s or None,
        "pending": tuple(
            f"the fit of device {job.device} from counters of {job.provider}" for job in prediction.pending or []
        ),
    }
    if isinstance(prediction, PredictionRefused):
        return Forecast(**asked, refusal=prediction.refusal)
    interval, explanation = prediction.interval, prediction.explanation
    shares = {share.counter: share.time_s for share in explanation.shares}
    if explanation.rest_s != 0:
        shares["(rest)"] = explanation.rest_s
    contributions = pd.Series(shares, dtype=float, name="time_s").sort_values(ascending=False)
    others = [
        {
            "method": it.method,
            "provider": it.provider,
            "time_s": it.time_s,
            "low_s": it.interval.low_s,
            "high_s": it.interval.high_s,
            "disagrees": it.disagrees,
            "model": str(it.model),
        }
        for it in prediction.others
    ]
    outside = [
        {"counter": it.counter, "value": it.value, "min": it.min_, "max": it.max_, "times": it.times or None}
        for it in prediction.outside
    ]
    return Forecast(
        **asked,
        time_s=prediction.time_s,
        interval=Interval(interval.low_s, interval.high_s, interval.level) if interval else None,
        no_interval=prediction.no_interval or None,
        measured_lies=prediction.measured_lies or None,
        warnings=tuple(prediction.warnings),
        contributions=contributions,
        others=pd.DataFrame(others),
        outside=pd.DataFrame(outside),
        missing=tuple(prediction.missing),
        unknown=tuple(prediction.unknown),
        baseline_s=prediction.baseline.time_s if prediction.baseline else None,
        model=str(prediction.model),
        method=prediction.method,
        provider=prediction.provider,
        mean_ape=prediction.leave_one_kernel_out_mean_ape or None,
    )
