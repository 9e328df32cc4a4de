"""Questions to a real server."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from conftest import ROOT

import kerncast
from kerncast.rest.api.models import get_overview
from kerncast.rest.models import Overview


def test_devices_have_ids_names_and_numbers(client: kerncast.Client) -> None:
    devices = client.devices()
    assert sorted(devices["short_name"]) == ["EPYC", "H200"]
    assert devices.index.name == "id" and devices["samples"].sum() == 271
    assert str(devices["last_measured_at"].dtype).endswith("UTC]")
    # Imported ones have not said it: missing, not 0.
    assert devices["max_buffer_bytes"].isna().all() and str(devices["max_buffer_bytes"].dtype) == "Int64"


def test_samples_are_what_was_imported(client: kerncast.Client) -> None:
    table = pd.read_csv(ROOT / "examples/kernels.csv")
    samples = client.samples()
    assert len(samples) == len(table)
    assert samples["time_s"].dtype == np.float64
    assert str(samples["measured_at"].dtype).endswith("UTC]")
    assert str(samples["param:n"].dtype) == "Int64"
    assert samples.attrs["units"]["time_s"] == "s"
    key = ["device", "kernel", "variant", "time_s"]
    both = samples.merge(table, on=key, suffixes=("", "_of_table"))
    assert len(both) == len(table)
    # What a kernel lacks is missing, not 0.
    assert samples["param:bins"].isna().sum() == table["param:bins"].isna().sum() > 0
    np.testing.assert_array_equal(both["oclgrind:load_global"], both["oclgrind:load_global_of_table"])


def test_samples_are_chosen_by_the_server(client: kerncast.Client) -> None:
    ours = client.samples(device="h200", kernel="transpose", variant="local")
    assert len(ours) == 6
    assert set(ours["device"]) == {"NVIDIA H200"} and set(ours["variant"]) == {"local"}
    assert "param:bins" not in ours
    assert client.samples(kernel="nothing").empty


def test_pages_are_followed(client: kerncast.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    everything = client.samples()
    models = client.models()
    monkeypatch.setattr("kerncast.client._PAGE", 7)
    assert client.samples(limit=20)["id"].tolist() == everything["id"].tolist()[:20]
    assert client.samples(limit=1000)["id"].tolist() == everything["id"].tolist()
    assert client.models()["id"].tolist() == models["id"].tolist()
    assert len(models) > 7


def test_models_say_how_far_off_they_are(client: kerncast.Client) -> None:
    models = client.models(device="h200", response="time")
    assert set(models["device"]) == {"H200"}
    champions = models[models["champion"]]
    assert len(champions) >= 1 and (champions["kernel_factor"] >= 1).all()
    assert client.models(champions=True)["champion"].all()
    across = client.models(device="h200", counted_on="epyc")
    assert set(across["counted_on"]) == {"EPYC"}


def test_a_stored_sample_is_forecast_beside_what_it_took(client: kerncast.Client) -> None:
    sample = client.samples(device="h200", kernel="transpose", variant="global").iloc[0]
    (forecast,) = client.forecast(sample["id"])
    assert forecast.name is not None and forecast.name.startswith("transpose global ")
    assert (forecast.device_name, forecast.measured_s) == ("H200", sample["time_s"])
    assert forecast.time_s is not None and forecast.time_s > 0
    assert forecast.contributions.sum() == pytest.approx(forecast.time_s)
    if forecast.interval:
        inside = forecast.interval.low_s <= sample["time_s"] <= forecast.interval.high_s
        assert forecast.measured_lies == "within" if inside else forecast.is_alarm
        assert forecast.interval.level == 0.9


def test_many_samples_keep_their_order(client: kerncast.Client) -> None:
    both = pd.concat([client.samples(device=name, kernel="triad") for name in ("h200", "epyc")])
    mixed = both.sample(frac=1, random_state=1)
    forecasts = client.forecast(mixed)
    assert [it.measured_s for it in forecasts] == mixed["time_s"].tolist()
    names = {"NVIDIA H200": "H200"}
    assert [it.device_name for it in forecasts] == [names.get(it, "EPYC") for it in mixed["device"]]
    frame = forecasts.frame
    np.testing.assert_allclose(frame["ratio"], frame["time_s"] / frame["measured_s"])
    assert len(forecasts[:2].frame) == 2


def test_a_kernel_is_forecast_on_another_device(client: kerncast.Client) -> None:
    here = client.samples(device="epyc", kernel="triad").iloc[0]
    size = {"n": int(here["param:n"])}
    forecasts = client.forecast(kernel="triad", size=size, counted_on="epyc", on=["h200", "epyc"])
    assert [it.device_name for it in forecasts] == ["H200", "EPYC"]
    across, own = forecasts
    # Only where it was counted is known what it took.
    assert across.measured_s is None and own.measured_s == here["time_s"]
    overview = get_overview.sync(client=client.rest)
    assert isinstance(overview, Overview)


def test_counters_are_forecast_one_set_or_several(client: kerncast.Client) -> None:
    counters = {"oclgrind": {"load_global": 2**21, "store_global": 2**20, "instructions": 2**24}}
    (alone,) = client.forecast(counters=counters, on="h200")
    (first, second) = client.forecast(counters=[counters, counters], on="h200")
    assert first.time_s == second.time_s == alone.time_s
    (named,) = client.forecast(counters={"mine": counters}, on="h200")
    assert named.name == "mine"
    # Much is missing, and the answer says so.
    assert alone.missing and alone.warnings and alone.trust.word in ("low", "none")


def test_problems_name_field_value_and_what_was_expected(client: kerncast.Client) -> None:
    with pytest.raises(kerncast.KerncastError) as wrong:
        client.forecast(counters={"oclgrind": {"load_global": 1}}, on="h200", method="magic")
    error = wrong.value
    assert (error.status, error.field, error.value) == (422, "/method", "magic")
    assert error.expected and str(error)
    with pytest.raises(kerncast.KerncastError, match="H200"):
        client.forecast(kernel="triad", on="h100")
    with pytest.raises(kerncast.KerncastError, match="n="):
        client.forecast(kernel="triad", size={"n": 7})
    with pytest.raises(kerncast.KerncastError, match="UUID"):
        client.forecast("7")
    unknown = "00000000-0000-7000-8000-000000000000"
    with pytest.raises(kerncast.KerncastError) as missing:
        client.forecast(unknown)
    assert missing.value.status == 404
    with pytest.raises(TypeError):
        client.forecast()


def test_what_is_no_number_is_refused_before_it_is_sent(client: kerncast.Client) -> None:
    sets = [{"ncu": {"a": 1.0}}, {"ncu": {"a": 1.0, "b": float("nan")}}]
    for counters, time_s, field, value in (
        (sets[1], None, "/counters/ncu/b", "nan"),
        (sets, None, "/counter_sets/1/counters/ncu/b", "nan"),
        ({"ncu": {"a": np.float64("-inf")}}, None, "/counters/ncu/a", "-inf"),
        (sets[0], float("inf"), "/time_s", "inf"),
    ):
        with pytest.raises(kerncast.KerncastError, match=f"{field} is {value}; expected a finite number") as wrong:
            client.forecast(counters=counters, on="h200", counted_on="epyc", time_s=time_s)
        assert (wrong.value.field, wrong.value.value, wrong.value.status) == (field, value, None)


def test_the_generated_client_outlives_the_one_that_made_it(url: str) -> None:
    overview = get_overview.sync(client=kerncast.Client(url).rest)
    assert isinstance(overview, Overview)


def test_the_version_is_the_packages() -> None:
    text = (ROOT / "python/pyproject.toml").read_text()
    assert f'version = "{kerncast.__version__}"' in text


def test_where_nobody_answers_the_error_says_so() -> None:
    with pytest.raises(kerncast.KerncastError, match="no Kerncast server answers"):
        kerncast.Client("http://127.0.0.1:9", timeout_s=5).devices()
