"""Forecasts as figures."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from .units import format_seconds
from .values import ForecastValues

try:
    from matplotlib import figure as matplotlib_figure
except ImportError as error:
    raise ImportError('figures need matplotlib: pip install "kerncast[plot]"') from error

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Figure(matplotlib_figure.Figure):
    """A figure that notebooks show, also without matplotlib.pyplot."""

    def _repr_png_(self) -> bytes:
        image = io.BytesIO()
        self.savefig(image, format="png", dpi=90)
        return image.getvalue()


_BLUE, _RED, _GREY = "#3a6ea5", "#b3261e", "#8a8a8a"
# As many as a person reads.
_MOST_COUNTERS = 10


def draw_one(it: ForecastValues) -> Figure:
    """The time, and below it where the time goes."""
    shares = it.contributions.head(_MOST_COUNTERS)
    figure = Figure(figsize=(7, 1.9 + 0.3 * len(shares)), layout="constrained")
    if shares.empty:
        _draw_times(figure, figure.subplots(), [it])
        return figure
    above, below = figure.subplots(2, 1, height_ratios=[1.3, 0.6 + 0.3 * len(shares)])
    _draw_times(figure, above, [it])
    places = range(len(shares))
    below.barh(places, shares.to_numpy(), color=[_BLUE if it >= 0 else _GREY for it in shares])
    below.set_yticks(places, [str(name) for name in shares.index], fontsize=8)
    below.invert_yaxis()
    below.xaxis.set_major_formatter(lambda time_s, _: format_seconds(time_s) if time_s else "0")
    below.set_xlabel("where the time goes")
    return figure


def draw_several(forecasts: Sequence[ForecastValues]) -> Figure:
    """A line for each forecast."""
    figure = Figure(figsize=(7, 1.2 + 0.3 * len(forecasts)), layout="constrained")
    _draw_times(figure, figure.subplots(), forecasts)
    return figure


def _draw_times(figure: Figure, axes: Axes, forecasts: Sequence[ForecastValues]) -> None:
    """Intervals as bars, forecasts as dots, measured times as diamonds: red where they lie outside the interval."""
    labels = set()

    def label(text: str) -> str | None:
        new = text not in labels
        labels.add(text)
        return text if new else None

    for place, it in enumerate(forecasts):
        if it.interval:
            level = f"{100 * it.interval.level:.0f} % interval"
            ends = [it.interval.low_s, it.interval.high_s]
            axes.plot(ends, [place, place], color=_BLUE, alpha=0.35, linewidth=7, solid_capstyle="butt",
                      label=label(level))  # fmt: skip
        if it.time_s is not None and it.time_s > 0:
            axes.plot([it.time_s], [place], "o", color=_BLUE, label=label("forecast"))
        if it.measured_s is not None:
            text, colour = ("measured, outside", _RED) if it.is_alarm else ("measured", "black")
            axes.plot([it.measured_s], [place], "D", color=colour, markerfacecolor="none", markersize=8,
                      markeredgewidth=1.5, label=label(text))  # fmt: skip
        if it.time_s is None or it.time_s <= 0:
            axes.text(0.01, place, "no forecast", color=_RED, transform=axes.get_yaxis_transform(), va="center")
    names = [f"{it.name or 'counter set'} on {it.device_name}" for it in forecasts]
    axes.set_yticks(range(len(forecasts)), names, fontsize=8)
    axes.set_ylim(len(forecasts) - 0.4, -0.6)
    if labels:
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda time_s, _: format_seconds(time_s))
        axes.xaxis.set_minor_formatter(lambda _, __: "")
        figure.legend(fontsize=7, loc="outside upper right", ncols=4, frameon=False)
    axes.set_xlabel("time")
    axes.grid(axis="x", alpha=0.3)
