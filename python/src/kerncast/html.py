"""Forecasts as HTML for notebooks, the doubts first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from .units import format_seconds
from .values import ForecastValues

_RED = "#b3261e"
_COLOURS = {"high": "#1b6e3c", "fair": "#3a6ea5", "low": "#a65e00", "none": _RED}
# As many as a person reads; `contributions` has all.
_MOST_COUNTERS = 8


def render_one(it: ForecastValues) -> str:
    head = f"<b>{escape(it.name or 'counter set')}</b> on {escape(it.device_name)}"
    rows = []
    if it.time_s is not None:
        rows.append(("forecast", f"<b>{_time(it.time_s)}</b>"))
    if it.interval:
        low, high = format_seconds(it.interval.low_s), format_seconds(it.interval.high_s)
        rows.append((f"{100 * it.interval.level:.0f} % interval", f"{low} – {high}"))
    if it.measured_s is not None:
        rows.append(("measured", _measured(it)))
    if it.baseline_s is not None:
        rows.append(("the paper’s method", _time(it.baseline_s)))
    if it.method:
        error = f", mean error {100 * it.mean_ape:.0f} % on unseen kernels" if it.mean_ape else ""
        rows.append(("model", f"{escape(it.method)} on counters of {escape(it.provider or '')}{error}"))
    if it.time_s:
        for counter, time_s in it.contributions.head(_MOST_COUNTERS).items():
            share = f"{format_seconds(time_s)} ({100 * time_s / it.time_s:.0f} %)"
            rows.append((escape(str(counter)), share))
        others = it.contributions.iloc[_MOST_COUNTERS:]
        if len(others):
            rows.append((f"{len(others)} more counters", format_seconds(float(others.sum()))))
    cells = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{value}</td></tr>'
        for name, value in rows
    )
    return f"<div>{head} {_badge(it)}{_doubts(it)}<table>{cells}</table></div>"


def render_several(forecasts: Sequence[ForecastValues], notes: Sequence[str]) -> str:
    rows = "".join(
        f"<tr><td>{escape(it.name or '')}</td><td>{escape(it.device_name)}</td><td><b>{_time(it.time_s)}</b></td>"
        f"<td>{_interval(it)}</td><td>{_measured(it)}</td><td>{_badge(it)}</td>"
        f"<td style='text-align:left'>{escape(it.doubts[0] if it.doubts else it.trust.why)}</td></tr>"
        for it in forecasts
    )
    names = ("", "device", "forecast", "interval", "measured", "trust", "why")
    head = "".join(f"<th>{name}</th>" for name in names)
    alarms = sum(it.is_alarm for it in forecasts)
    alarm = ""
    if alarms:
        compared = sum(it.measured_lies is not None for it in forecasts)
        text = f"{alarms} of {compared} measured times lie outside the intervals of their forecasts"
        alarm = f'<p style="color:{_RED}"><b>{text}: do not rely on these forecasts</b></p>'
    remarks = "".join(f"<p>{escape(note)}</p>" for note in notes)
    return f"<div>{alarm}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{remarks}</div>"


def _time(time_s: float | None) -> str:
    if time_s is None:
        return "—"
    return format_seconds(time_s) if time_s > 0 else f"no time ({format_seconds(time_s)})"


def _interval(it: ForecastValues) -> str:
    return f"{format_seconds(it.interval.low_s)} – {format_seconds(it.interval.high_s)}" if it.interval else "—"


def _measured(it: ForecastValues) -> str:
    if it.measured_s is None:
        return ""
    if not it.is_alarm:
        return format_seconds(it.measured_s)
    return f'<b style="color:{_RED}">{format_seconds(it.measured_s)}, {it.measured_lies} the interval</b>'


def _badge(it: ForecastValues) -> str:
    word, why = it.trust.word, it.trust.why
    style = f"background:{_COLOURS[word]};color:white;border-radius:3px;padding:0 .4em;white-space:nowrap"
    return f'<span style="{style}" title="{escape(why)}">trust: {word}</span>'


def _doubts(it: ForecastValues) -> str:
    if not it.doubts:
        return f"<p>{escape(it.trust.why)}</p>"
    lines = "".join(f"<li>{escape(doubt)}</li>" for doubt in it.doubts)
    return f'<ul style="color:{_COLOURS[it.trust.word]}">{lines}</ul>'
