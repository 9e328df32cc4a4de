"""Forecasts as HTML, as notebooks show them: the doubts first and aloud."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .forecast import Forecast, Forecasts

_RED = "#b3261e"
_COLOURS = {"high": "#1b6e3c", "fair": "#3a6ea5", "low": "#a65e00", "none": _RED}
# Counters that a person reads; `contributions` has all.
_MOST = 8
_UNITS = (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6), ("ns", 1e-9))


def seconds(time_s: float) -> str:
    """`21.1 ms` of 0.0211: three digits, and the unit in which it is 1 or more."""
    unit, size = next(((it, size) for it, size in _UNITS if abs(time_s) >= size), _UNITS[-1])
    number = f"{time_s / size:.3g}"
    return f"{time_s / size:.0f} {unit}" if "e" in number else f"{number} {unit}"


def of_one(it: Forecast) -> str:
    head = f"<b>{escape(it.name or 'counter set')}</b> on {escape(it.device_name)}"
    rows = []
    if it.time_s is not None:
        rows.append(("forecast", f"<b>{_time(it)}</b>"))
    if it.interval:
        low, high = seconds(it.interval.low_s), seconds(it.interval.high_s)
        rows.append((f"{100 * it.interval.level:.0f} % interval", f"{low} – {high}"))
    if it.measured_s is not None:
        rows.append(("measured", _measured(it)))
    if it.baseline_s is not None:
        said = seconds(it.baseline_s) if it.baseline_s > 0 else f"no time ({seconds(it.baseline_s)})"
        rows.append(("the paper’s method", said))
    if it.method:
        off = f", off by {100 * it.mean_ape:.0f} % on average on kernels that it had not seen" if it.mean_ape else ""
        rows.append(("by", f"{escape(it.method)} on counters of {escape(it.provider or '')}{off}"))
    if it.time_s:
        for counter, time_s in it.contributions.head(_MOST).items():
            share = f"{seconds(time_s)} ({100 * time_s / it.time_s:.0f} %)"
            rows.append((escape(str(counter)), share))
        left = it.contributions.iloc[_MOST:]
        if len(left):
            rows.append((f"{len(left)} more counters", seconds(float(left.sum()))))
    cells = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{value}</td></tr>'
        for name, value in rows
    )
    return f"<div>{head} {_badge(it)}{_doubts(it)}<table>{cells}</table></div>"


def of_several(all_: Forecasts) -> str:
    rows = "".join(
        f"<tr><td>{escape(it.name or '')}</td><td>{escape(it.device_name)}</td><td><b>{_time(it)}</b></td>"
        f"<td>{_interval(it)}</td><td>{_measured(it)}</td><td>{_badge(it)}</td>"
        f"<td style='text-align:left'>{escape(it.doubts[0] if it.doubts else it.trust.why)}</td></tr>"
        for it in all_
    )
    names = ("", "device", "forecast", "interval", "measured", "trust", "why")
    head = "".join(f"<th>{name}</th>" for name in names)
    alarms = sum(it.is_alarm for it in all_)
    said = ""
    if alarms:
        judged = sum(it.measured_lies is not None for it in all_)
        said = f"{alarms} of {judged} measured times lie outside the intervals of their forecasts"
        said = f'<p style="color:{_RED}"><b>{said}: do not rely on those</b></p>'
    notes = "".join(f"<p>{escape(note)}</p>" for note in all_.notes)
    return f"<div>{said}<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{notes}</div>"


def _time(it: Forecast) -> str:
    if it.time_s is None:
        return "—"
    return seconds(it.time_s) if it.time_s > 0 else f"no time ({seconds(it.time_s)})"


def _interval(it: Forecast) -> str:
    return f"{seconds(it.interval.low_s)} – {seconds(it.interval.high_s)}" if it.interval else "—"


def _measured(it: Forecast) -> str:
    if it.measured_s is None:
        return ""
    if not it.is_alarm:
        return seconds(it.measured_s)
    return f'<b style="color:{_RED}">{seconds(it.measured_s)}, {it.measured_lies} the interval</b>'


def _badge(it: Forecast) -> str:
    word, why = it.trust.word, it.trust.why
    style = f"background:{_COLOURS[word]};color:white;border-radius:3px;padding:0 .4em;white-space:nowrap"
    return f'<span style="{style}" title="{escape(why)}">trust: {word}</span>'


def _doubts(it: Forecast) -> str:
    if not it.doubts:
        return f"<p>{escape(it.trust.why)}</p>"
    lines = "".join(f"<li>{escape(doubt)}</li>" for doubt in it.doubts)
    return f'<ul style="color:{_COLOURS[it.trust.word]}">{lines}</ul>'
