"""How forecasts show themselves: doubts aloud."""

from __future__ import annotations

import pandas as pd
import pytest

from kerncast import Forecast, Forecasts, Interval, KerncastError, Trust, names
from kerncast.rest.models import DeviceSummary
from kerncast.units import format_seconds


def forecast(**fields: object) -> Forecast:
    usual: dict[str, object] = {
        "name": "<triad>",
        "device": 1,
        "device_name": "H200",
        "trust": Trust("high", "90 % of kernels lie within ×/÷ 1.25"),
        "time_s": 1e-3,
        "interval": Interval(0.8e-3, 1.25e-3, 0.9),
        "contributions": pd.Series({"ncu:a": 0.9e-3, "(rest)": 0.1e-3}),
        "method": "nnls",
        "provider": "ncu",
    }
    return Forecast(**(usual | fields))  # type: ignore[arg-type]


def test_a_calm_forecast_is_trusted_and_quiet() -> None:
    it = forecast(measured_s=1.1e-3, measured_lies="within")
    assert (it.trust.word, it.doubts) == ("high", ())
    html = it._repr_html_()
    assert "&lt;triad&gt;" in html and "trust: high" in html and "1.1 ms" in html
    assert "#b3261e" not in html


@pytest.mark.parametrize(
    ("fields", "word", "text"),
    [
        ({"time_s": None, "refusal": "no model"}, "none", "no model"),
        ({"time_s": -1e-3}, "none", "no time"),
        ({"interval": None, "no_interval": "few kernels"}, "none", "few kernels"),
        ({"measured_s": 0.05, "measured_lies": "above"}, "none", "above the interval"),
        ({"pending": ("the fit of device 1",)}, "low", "pending"),
        ({"warnings": ("lacks 21 counters",)}, "low", "lacks 21 counters"),
        ({"trust": Trust("low", "within ×/÷ 100.00")}, "low", "100.00"),
        ({"trust": Trust("fair", "within ×/÷ 2.00")}, "fair", "2.00"),
    ],
)
def test_doubts_are_aloud(fields: dict[str, object], word: str, text: str) -> None:
    it = forecast(**({"trust": Trust(word, text)} | fields))
    assert it.trust.word == word
    for html in (it._repr_html_(), Forecasts([it])._repr_html_(), Forecasts([it, it])._repr_html_()):
        assert f"trust: {word}" in html
        assert text in html
    assert text in " ".join([repr(it), *it.doubts])


def test_the_worst_doubt_comes_first_and_an_alarm_is_counted() -> None:
    alarm = {"measured_s": 0.05, "measured_lies": "above", "warnings": ("other",), "pending": ("a fit",)}
    it = forecast(**alarm)
    assert [doubt.split()[0] for doubt in it.doubts] == ["the", "pending", "other"]
    html = Forecasts([it, forecast(measured_s=1e-3, measured_lies="within")])._repr_html_()
    assert "1 of 2 measured times lie outside" in html


def test_figures_show_what_was_measured_in_red_where_it_lies_outside() -> None:
    from matplotlib.colors import to_hex

    inside = forecast(measured_s=1e-3, measured_lies="within")
    outside = forecast(measured_s=0.05, measured_lies="above")
    for it, colour in ((inside, "#000000"), (outside, "#b3261e")):
        lines = it.figure().axes[0].get_lines()
        (diamond,) = [line for line in lines if line.get_marker() == "D"]
        assert to_hex(diamond.get_color()) == colour
        # The forecast is seen inside.
        assert diamond.get_markerfacecolor() == "none"
    refused = forecast(time_s=None, interval=None, refusal="no model", contributions=pd.Series(dtype=float))
    figure = Forecasts([inside, outside, refused]).figure()
    assert [text.get_text() for text in figure.axes[0].texts] == ["no forecast"]
    figure.canvas.draw()


@pytest.mark.parametrize(
    ("time_s", "text"),
    [
        (0.0211, "21.1 ms"),
        (1.0, "1 s"),
        (4.2e-8, "42 ns"),
        (999.6e-6, "1000 µs"),
        (-2e-3, "-2 ms"),
        (3600, "3600 s"),
        (0, "0 ns"),
    ],
)
def test_times_have_three_digits_and_a_unit(time_s: float, text: str) -> None:
    assert format_seconds(time_s) == text


def device(id_: int, name: str, short_name: str) -> DeviceSummary:
    return DeviceSummary.from_dict(
        {
            "id": id_,
            "name": name,
            "short_name": short_name,
            "vendor": "V",
            "kind": "gpu",
            "samples": 0,
            "kernels": 0,
            "shipped": False,
            "last_measured_at": None,
        }
    )


def test_a_whole_name_goes_before_a_part_of_others() -> None:
    all_ = [device(id_, f"NVIDIA {short}", short) for id_, short in enumerate(["H200", "H200 NVL", "A100"], 1)]
    assert names.find_device(all_, "h200").id == 1
    assert names.find_device(all_, "nvl").id == 2
    assert names.find_device(all_, 3).id == 3
    with pytest.raises(KerncastError, match="several"):
        names.find_device(all_, "NVIDIA")
    with pytest.raises(KerncastError, match="A100"):
        names.find_device(all_, "v100")


def test_a_short_name_that_begins_another_is_ambiguous() -> None:
    xeon = "skylake-avx512-Intel(R) Xeon(R) Processor"
    all_ = [device(3, f"cpu-{xeon}", "Xeon"), device(5, f"pthread-{xeon}", "Xeon (PoCL, 2 units)")]
    with pytest.raises(KerncastError, match=r"3: Xeon \(cpu-.*5: Xeon \(PoCL, 2 units\) \(pthread-"):
        names.find_device(all_, "xeon")
    assert names.find_device(all_, "Xeon (PoCL, 2 units)").id == 5
    assert names.find_device(all_[:1], "xeon").id == 3
