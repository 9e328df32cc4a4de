"""A Kerncast server, as a notebook asks it."""

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

from . import asked, frames, names, settings
from .errors import KerncastError
from .forecast import Forecast, Forecasts, of
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

# A page of a listing.
_PAGE = 1000
# A server that is busy says when to come again; one that wants to be left alone for longer is down, s.
_TRIES, _LONGEST_WAIT_S = 4, 30.0
_BETWEEN_LOOKS_S = 1.0


class Client:
    """Asks a Kerncast server. Where something is not given, it is found as the program `kerncast` finds it: in
    KERNCAST_SERVER, KERNCAST_TOKEN_FILE, KERNCAST_TOKEN and KERNCAST_CERTIFICATE, else in the configuration file,
    else http://127.0.0.1:7310.

    Args:
        url: The server's address.
        token: A token; most servers need none to be read.
        certificate: File (PEM) of whom to trust, in place of the authorities of the web.
        timeout_s: How long to wait for an answer, seconds.

    Raises:
        KerncastError: a setting is no good. No method needs one to be caught that does not say so: all that goes
            wrong with a server is a KerncastError.
    """

    def __init__(
        self,
        url: str | None = None,
        token: str | None = None,
        *,
        certificate: str | Path | None = None,
        timeout_s: float = 120.0,
    ) -> None:
        found = settings.find(url, token, certificate)
        self.url = found.url
        #: For every other route: the functions of `kerncast.rest.api`.
        self.rest = AuthenticatedClient(
            base_url=found.url,
            token=found.token or "",
            prefix="Bearer" if found.token else "",
            headers={"Accept": "application/json, application/problem+json"},
            timeout=httpx.Timeout(timeout_s, connect=5.0),
            verify_ssl=str(found.certificate) if found.certificate else True,
        )
        connections = self.rest.get_httpx_client()
        if not found.token:
            connections.headers.pop("Authorization", None)
        # Nobody closes what a notebook has made. `Client().rest` outlives its client.
        weakref.finalize(self.rest, connections.close)

    def devices(self) -> pd.DataFrame:
        """The server's devices by id: names, kind, samples, kernels, and what they can do at most.

        `attrs["units"]` has the columns' units, as for all frames of this class.
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
        """Stored samples, newest first: a row a sample.

        Args:
            device: Name, short name or id.
            origin: `measured`, `imported` or `shipped`.
            standing: `sound`, `quarantined`, `rejected`, …
            flag: `throttled`, `shared` or `outliers`: only those that bear it.
            limit: Only so many, of the newest ones; None: all.

        Returns:
            `time_s` is the median of the sample's repetitions, in seconds. `param:n` is the size `n`;
            `oclgrind:load_global` what Oclgrind counted. What a sample lacks is NA, never 0; sizes and counters that
            none of them has are left out.
        """
        filters = {"kernel": kernel, "variant": variant, "origin": origin, "standing": standing, "flag": flag}
        if device is not None:
            filters["device"] = str(self._device(device).id)
        parameters = {"format": "csv"} | {key: value for key, value in filters.items() if value is not None}
        parts: list[pd.DataFrame] = []
        cursor, left = None, limit
        while left is None or left > 0:
            page = {} if left is None else {"limit": str(min(left, _PAGE))}
            page |= {"cursor": cursor} if cursor else {}
            part = frames.samples(self._text("/v1/samples", parameters | page))
            parts.append(part)
            if left is None or len(part) < min(left, _PAGE):
                break
            left -= len(part)
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
        """Fitted models, newest first: a row a model.

        Args:
            device: Name, short name or id of the device that they forecast.
            counted_on: The same of the device whose counters they know, where that is another.
            response: `time`, or a counter.
            champions: Only those that answer.

        Returns:
            `kernel_factor` is by how much forecasts of unseen kernels are off (×/÷), `kernel_mean_ape` the same as a
            share of the measured time; `family_…`, `row_…` and `device_…` by leaving those out.
        """
        wanted: dict[str, Any] = {"provider": provider, "response": response}
        if device is not None:
            wanted["device"] = self._device(device).id
        if counted_on is not None:
            wanted["counted_on"] = self._device(counted_on).id
        wanted = {key: value for key, value in wanted.items() if value is not None}
        found = self._all(lambda page: list_models.sync_detailed(client=self.rest, **wanted, **page))
        short = {it.id: it.short_name for it in self._devices()}
        return frames.models((it for it in found if it.champion or not champions), short)

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
        """How long kernels take, and how far to trust the answer. Give `samples`, `kernel` or `counters`.

        Args:
            samples: Ids of stored samples, or a frame of them, as `samples()` gives it.
            kernel: The newest stored samples of this kernel: of each device that counted it, variant and size; `size`
                (as `{"n": 1024}`) and `variant` choose among them.
            counters: Provider → counter → number; or several such sets, with or without names.
            on: The devices to forecast, by name, short name or id. None: each sample's own, or the only device that
                has models.
            counted_on: With `kernel` only the samples of this device; with `counters` the device that counted, where
                that is another than the one to forecast.
            time_s: With `counters`, and counted on another device: what the kernel took there, seconds.
            method: Whose best model answers, in place of the champion's.
            wait_s: Wait up to so long until no fit of these devices is pending, seconds.

        Returns:
            Forecasts in the order of samples (or sets), then of devices.

        Raises:
            KerncastError: there is no such sample, kernel or device; no model forecasts any of it.
        """
        given = [it is not None for it in (samples, kernel, counters)]
        if sum(given) != 1:
            raise TypeError("forecast() takes one of samples, kernel and counters")
        devices = self._devices()
        wishes = [on] if isinstance(on, int | str) else on
        targets = None if wishes is None else [names.one(devices, it).id for it in wishes]
        source = None if counted_on is None else names.one(devices, counted_on).id
        notes: list[str] = []
        if counters is not None:
            cases = asked.of_counters(counters, source, time_s)
        else:
            if samples is not None:
                found = [self._sample(it) for it in asked.ids(samples)]
            else:
                assert kernel is not None
                found = self._of_kernel(kernel, size, variant, source)
            cases, notes = asked.of_samples(found, devices)
        if wait_s:
            self._wait(targets or sorted({it.device for it in cases if it.device}), wait_s)
        answers: list[tuple[int, int, Forecast]] = []
        short = {it.id: it.short_name for it in devices}
        for places, request in asked.requests(cases, targets, method):
            for prediction in self._predict(request).predictions:
                place = places[prediction.counter_set]
                name = short.get(prediction.device, str(prediction.device))
                order = targets.index(prediction.device) if targets else 0
                answers.append((place, order, of(prediction, name)))
        answers.sort(key=lambda it: it[:2])
        return Forecasts([forecast for _, _, forecast in answers], notes)

    def pending(self) -> int:
        """Fits that wait or run: at 0 every model is as new as the samples."""
        return int(self._ask(lambda: list_jobs.sync_detailed(client=self.rest)).pending)

    def _predict(self, request: PredictionRequest) -> Predictions:
        answer: Predictions = self._ask(lambda: predict.sync_detailed(client=self.rest, body=request))
        return answer

    def _sample(self, id_: UUID) -> Sample:
        sample: Sample = self._ask(lambda: get_sample.sync_detailed(id_, client=self.rest))
        return sample

    def _of_kernel(
        self, kernel: str, size: Mapping[str, int] | None, variant: str | None, source: int | None
    ) -> list[Sample]:
        asked_for = {"variant": variant, "device": source}
        wanted: dict[str, Any] = {key: value for key, value in asked_for.items() if value is not None}
        all_ = self._all(lambda page: list_samples.sync_detailed(client=self.rest, kernel=kernel, **wanted, **page))
        return asked.newest(list(all_), kernel, size)

    def _devices(self) -> list[DeviceSummary]:
        return list(self._all(lambda page: list_devices.sync_detailed(client=self.rest, **page)))

    def _device(self, wish: int | str) -> DeviceSummary:
        return names.one(self._devices(), wish)

    def _wait(self, devices: list[int], limit_s: float) -> None:
        """Until no fit of the devices waits, or for so long."""
        end = time.monotonic() + limit_s
        while time.monotonic() < end:
            jobs = self._ask(lambda: list_jobs.sync_detailed(client=self.rest)).items
            if not any(not job.given_up and (not devices or job.device in devices) for job in jobs):
                return
            time.sleep(_BETWEEN_LOOKS_S)

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
            good = answer.status_code == HTTPStatus.OK
            parsed = answer.text if good else Problem.from_dict(answer.json())
            return Response(HTTPStatus(answer.status_code), answer.content, answer.headers, parsed)

        text = self._ask(call)
        assert isinstance(text, str)
        return text

    def _ask(self, call: Callable[[], Response[T | Problem]]) -> Any:
        """The good answer; asked again where the server says that it is busy."""
        for tried in range(_TRIES):
            try:
                answer = call()
            except httpx.TimeoutException as error:
                raise KerncastError(f"the server at {self.url} took too long to answer") from error
            except httpx.HTTPError as error:
                raise KerncastError(f"no Kerncast server answers at {self.url}: {error}") from error
            except (ValueError, KeyError) as error:
                raise KerncastError(
                    f"what answers at {self.url} is no Kerncast server of this version: {error!r}"
                ) from error
            busy = answer.status_code in (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
            wait_s = _seconds(answer.headers.get("retry-after"))
            if busy and tried + 1 < _TRIES and wait_s <= _LONGEST_WAIT_S:
                time.sleep(wait_s)
                continue
            break
        if isinstance(answer.parsed, Problem):
            raise KerncastError.of(answer.parsed)
        if answer.parsed is None:
            status = answer.status_code
            raise KerncastError(f"the server at {self.url} answered {status} {status.phrase}", status)
        return answer.parsed


def _seconds(retry_after: str | None) -> float:
    return float(retry_after) if retry_after and retry_after.isdecimal() else 1.0
