"""A forecast, and how far to trust it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

import pandas as pd

from . import html
from .rest.models import PredictionForecast, PredictionRefused
from .units import format_seconds
from .values import ForecastValues, Interval, Trust

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Forecast(ForecastValues):
    """The forecast of one counter set on one device, which a notebook shows. Times are seconds."""

    def figure(self) -> Figure:
        """Draws the forecast with its interval and the measured time, and below where the time goes.

        Raises:
            ImportError: matplotlib is not installed (`pip install "kerncast[plot]"`).
        """
        from . import figures

        return figures.draw_one(self)

    def __repr__(self) -> str:
        name = self.name or "counter set"
        time = self.refusal if self.time_s is None else format_seconds(self.time_s)
        return f"<Forecast {name} on {self.device_name}: {time}; trust {self.trust.word}: {self.trust.why}>"

    def _repr_html_(self) -> str:
        return html.render_one(self)


class Forecasts(Sequence[Forecast]):
    """Forecasts in the order of the request. A notebook shows one in full, and several as a table."""

    def __init__(self, forecasts: Sequence[Forecast], notes: Sequence[str] = ()) -> None:
        self._all = tuple(forecasts)
        self.notes = tuple(notes)
        """What of the request was left out, and why."""

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
        """Draws each forecast with its interval and the measured time, red where that lies outside the interval.

        Raises:
            ImportError: matplotlib is not installed (`pip install "kerncast[plot]"`).
        """
        from . import figures

        return figures.draw_several(self)

    def __repr__(self) -> str:
        return "\n".join([*map(repr, self), *self.notes])

    def _repr_html_(self) -> str:
        return html.render_one(self[0]) if len(self) == 1 else html.render_several(self, self.notes)


def from_prediction(prediction: PredictionForecast | PredictionRefused, device_name: str) -> Forecast:
    """The forecast of one prediction in the server's answer."""
    common: dict[str, Any] = {
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
        return Forecast(**common, refusal=prediction.refusal)
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
        **common,
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
