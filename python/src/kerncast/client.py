"""The client of a Kerncast server."""

from __future__ import annotations

import time
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from pathlib import Path
from typing import Any, TypeVar
from uuid import UUID

import httpx
import pandas as pd

from . import frames, names, request, settings
from .errors import KerncastError
from .forecast import Forecast, Forecasts, from_prediction
from .rest import AuthenticatedClient
from .rest.api.catalogue import list_devices
from .rest.api.models import list_jobs, list_models
from .rest.api.predictions import predict
from .rest.api.samples import get_sample, list_samples
from .rest.models import DeviceSummary, PredictionRequest, Predictions, Problem, Sample
from .rest.types import Response

T = TypeVar("T")

CounterSet = Mapping[str, Mapping[str, float]]
"""Provider → counter → number."""

# Items in a page of a listing.
_PAGE = 1000
# A busy server says when to try again. Above this wait, it counts as down.
_TRIES, _LONGEST_WAIT_S = 4, 30.0
_POLL_S = 1.0


class Client:
    """A client of a Kerncast server. Arguments that are left out are found as the program `kerncast` finds them: in
    KERNCAST_SERVER, KERNCAST_TOKEN_FILE, KERNCAST_TOKEN and KERNCAST_CERTIFICATE, else in the configuration file,
    else the server is http://127.0.0.1:7310.

    Args:
        url: The server's address.
        token: A token. Most servers can be read without one.
        certificate: PEM file of the certificates to trust, in place of the public authorities.
        timeout_s: How long to wait for an answer, in seconds.

    Raises:
        KerncastError: a setting is invalid. Every method raises it too, where the server refuses or can't be reached.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        certificate: str | Path | None = None,
        timeout_s: float = 120.0,
    ) -> None:
        config = settings.find(url, token, certificate)
        self.url = config.url
        #: For the functions of `kerncast.rest.api`, which has every other route.
        self.rest = AuthenticatedClient(
            base_url=config.url,
            token=config.token or "",
            prefix="Bearer" if config.token else "",
            headers={"Accept": "application/json, application/problem+json"},
            timeout=httpx.Timeout(timeout_s, connect=5.0),
            verify_ssl=str(config.certificate) if config.certificate else True,
        )
        connections = self.rest.get_httpx_client()
        if not config.token:
            connections.headers.pop("Authorization", None)
        # Notebooks do not close clients, and `Client().rest` may outlive its client.
        weakref.finalize(self.rest, connections.close)

    def devices(self) -> pd.DataFrame:
        """The server's devices by id: names, kind, samples, kernels and ceilings.

        `attrs["units"]` has the units of the columns, in all frames of this class.
        """
        return frames.devices(self._devices())

    def samples(
        self,
        *,
        kernel: str | None = None,
        device: int | str | None = None,
        variant: str | None = None,
        origin: str | None = None,
        standing: str | None = None,
        flag: str | None = None,
        limit: int | None = None,
    ) -> pd.DataFrame:
        """Stored samples, newest first, one per row.

        Args:
            device: Name, short name or id.
            origin: `measured`, `imported` or `shipped`.
            standing: `sound`, `quarantined`, `rejected`, …
            flag: `throttled`, `shared` or `outliers`: only samples with this flag.
            limit: At most this many, the newest; None: all.

        Returns:
            `time_s` is the median of the sample's repetitions, in seconds. `param:n` is the size `n`, and
            `oclgrind:load_global` is Oclgrind's counter of that name. A missing value is NA, never 0. Sizes and
            counters that no sample has are left out.
        """
        filters = {"kernel": kernel, "variant": variant, "origin": origin, "standing": standing, "flag": flag}
        if device is not None:
            filters["device"] = str(self._device(device).id)
        parameters = {"format": "csv"} | {key: value for key, value in filters.items() if value is not None}
        parts: list[pd.DataFrame] = []
        cursor, remaining = None, limit
        while remaining is None or remaining > 0:
            page = {} if remaining is None else {"limit": str(min(remaining, _PAGE))}
            page |= {"cursor": cursor} if cursor else {}
            part = frames.samples(self._text("/v1/samples", parameters | page))
            parts.append(part)
            if remaining is None or len(part) < min(remaining, _PAGE):
                break
            remaining -= len(part)
            cursor = str(part["id"].iloc[-1])
        return frames.with_units(pd.concat(parts, ignore_index=True)) if len(parts) > 1 else parts[0]

    def models(
        self,
        *,
        device: int | str | None = None,
        counted_on: int | str | None = None,
        provider: str | None = None,
        response: str | None = None,
        champions: bool = False,
    ) -> pd.DataFrame:
        """Fitted models, newest first, one per row.

        Args:
            device: Name, short name or id of the device that is forecast.
            counted_on: The same for the device counted on, where that is another one.
            response: `time`, or a counter.
            champions: Only champions.

        Returns:
            `kernel_factor` is the typical factor (×/÷) between forecast and measured time of kernels left out;
            `kernel_mean_ape` is their mean error as a share of the measured time. `family_…`, `row_…` and `device_…`
            are the same with families, rows or devices left out.
        """
        filters: dict[str, Any] = {"provider": provider, "response": response}
        if device is not None:
            filters["device"] = self._device(device).id
        if counted_on is not None:
            filters["counted_on"] = self._device(counted_on).id
        filters = {key: value for key, value in filters.items() if value is not None}
        models = self._all(lambda page: list_models.sync_detailed(client=self.rest, **filters, **page))
        short_names = {it.id: it.short_name for it in self._devices()}
        return frames.models((it for it in models if it.champion or not champions), short_names)

    def forecast(
        self,
        samples: str | UUID | Iterable[str | UUID] | pd.DataFrame | None = None,
        *,
        kernel: str | None = None,
        size: Mapping[str, int] | None = None,
        variant: str | None = None,
        counters: CounterSet | Mapping[str, CounterSet] | Sequence[CounterSet] | None = None,
        on: int | str | Sequence[int | str] | None = None,
        counted_on: int | str | None = None,
        time_s: float | None = None,
        method: str | None = None,
        wait_s: float = 0.0,
    ) -> Forecasts:
        """Forecasts how long kernels take, and says how far to trust that. Give one of `samples`, `kernel`, `counters`.

        Args:
            samples: Ids of stored samples, or a frame of `samples()`.
            kernel: Use the newest stored sample of this kernel of each device, variant and size.
            size: With `kernel`: only this size, such as `{"n": 1024}`.
            variant: With `kernel`: only this variant.
            counters: Provider → counter → number, or several such sets in a list or by name.
            on: The devices to forecast, by name, short name or id. None: each sample's own device, or the only device
                that has models.
            counted_on: With `kernel`: only samples of this device. With `counters`: the device counted on, where that
                is not the device to forecast.
            time_s: With `counters` of another device: the measured time there, in seconds.
            method: The method whose best model answers. None: the champion answers.
            wait_s: Wait at most this long, in seconds, until no fit of these devices is pending.

        Returns:
            Forecasts in the order of the samples or counter sets, then of the devices.

        Raises:
            KerncastError: there is no such sample, kernel or device, or no model for it.
        """
        if sum(it is not None for it in (samples, kernel, counters)) != 1:
            raise TypeError("forecast() takes exactly one of samples, kernel and counters")
        devices = self._devices()
        target_names = [on] if isinstance(on, int | str) else on
        targets = None if target_names is None else [names.find_device(devices, it).id for it in target_names]
        source = None if counted_on is None else names.find_device(devices, counted_on).id
        notes: list[str] = []
        if counters is not None:
            cases = request.cases_of_counters(counters, source, time_s)
        else:
            if samples is not None:
                stored = [self._sample(it) for it in request.sample_ids(samples)]
            else:
                assert kernel is not None
                stored = self._newest_samples(kernel, size, variant, source)
            cases, notes = request.cases_of_samples(stored, devices)
        if wait_s:
            self._wait(targets or sorted({it.device for it in cases if it.device}), wait_s)
        answers: list[tuple[int, int, Forecast]] = []
        short_names = {it.id: it.short_name for it in devices}
        for places, body in request.build_requests(cases, targets, method):
            for prediction in self._predict(body).predictions:
                place = places[prediction.counter_set]
                name = short_names.get(prediction.device, str(prediction.device))
                order = targets.index(prediction.device) if targets else 0
                answers.append((place, order, from_prediction(prediction, name)))
        answers.sort(key=lambda it: it[:2])
        return Forecasts([forecast for _, _, forecast in answers], notes)

    def pending(self) -> int:
        """The number of fits that wait or run. At 0, every model is up to date with the samples."""
        return int(self._ask(lambda: list_jobs.sync_detailed(client=self.rest)).pending)

    def _predict(self, body: PredictionRequest) -> Predictions:
        answer: Predictions = self._ask(lambda: predict.sync_detailed(client=self.rest, body=body))
        return answer

    def _sample(self, id_: UUID) -> Sample:
        sample: Sample = self._ask(lambda: get_sample.sync_detailed(id_, client=self.rest))
        return sample

    def _newest_samples(
        self, kernel: str, size: Mapping[str, int] | None, variant: str | None, source: int | None
    ) -> list[Sample]:
        filters: dict[str, Any] = {"kernel": kernel, "variant": variant, "device": source}
        filters = {key: value for key, value in filters.items() if value is not None}
        samples = self._all(lambda page: list_samples.sync_detailed(client=self.rest, **filters, **page))
        return request.newest_samples(list(samples), kernel, size)

    def _devices(self) -> list[DeviceSummary]:
        return list(self._all(lambda page: list_devices.sync_detailed(client=self.rest, **page)))

    def _device(self, name: int | str) -> DeviceSummary:
        return names.find_device(self._devices(), name)

    def _wait(self, devices: list[int], limit_s: float) -> None:
        """Waits until no fit of the devices is pending, at most `limit_s` seconds."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            jobs = self._ask(lambda: list_jobs.sync_detailed(client=self.rest)).items
            if not any(not job.given_up and (not devices or job.device in devices) for job in jobs):
                return
            time.sleep(_POLL_S)

    def _all(self, call: Callable[[dict[str, Any]], Response[Any]]) -> Iterator[Any]:
        """The items of all pages."""
        page: dict[str, Any] = {"limit": _PAGE}
        while True:
            answer = self._ask(partial(call, page))
            yield from answer.items
            if not answer.next_:
                return
            page = {"limit": _PAGE, "cursor": answer.next_}

    def _text(self, path: str, parameters: Mapping[str, str]) -> str:
        def call() -> Response[Any]:
            answer = self.rest.get_httpx_client().get(path, params=dict(parameters))
            is_ok = answer.status_code == HTTPStatus.OK
            parsed = answer.text if is_ok else Problem.from_dict(answer.json())
            return Response(HTTPStatus(answer.status_code), answer.content, answer.headers, parsed)

        text = self._ask(call)
        assert isinstance(text, str)
        return text

    def _ask(self, call: Callable[[], Response[T | Problem]]) -> Any:
        """The answer's body. A busy server is asked again.

        Raises:
            KerncastError: the server refused or could not be reached.
        """
        for attempt in range(_TRIES):
            try:
                answer = call()
            except httpx.TimeoutException as error:
                raise KerncastError(f"the server at {self.url} took too long to answer") from error
            except httpx.HTTPError as error:
                raise KerncastError(f"no Kerncast server answers at {self.url}: {error}") from error
            except (ValueError, KeyError) as error:
                raise KerncastError(
                    f"the server at {self.url} is not a Kerncast server of this version: {error!r}"
                ) from error
            busy = answer.status_code in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
            wait_s = _seconds(answer.headers.get("retry-after"))
            if busy and attempt + 1 < _TRIES and wait_s <= _LONGEST_WAIT_S:
                time.sleep(wait_s)
                continue
            break
        if isinstance(answer.parsed, Problem):
            raise KerncastError.from_problem(answer.parsed)
        if answer.parsed is None:
            status = answer.status_code
            raise KerncastError(f"the server at {self.url} answered {status} {status.phrase}", status)
        return answer.parsed


def _seconds(retry_after: str | None) -> float:
    return float(retry_after) if retry_after and retry_after.isdecimal() else 1.0
