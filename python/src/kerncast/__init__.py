"""Forecasts how long an OpenCL kernel takes on a device, and says how far to trust that: Kerncast in notebooks.

    import kerncast

    kerncast.devices()
    kerncast.forecast(kernel="matmul_float", size={"n": 1024}, on="h200")

These functions ask the server that `Client()` finds; `Client(url)` asks another. Times are seconds. `kerncast.rest` has
every other route; it is generated from the server's openapi.json.
"""

from __future__ import annotations

from importlib import metadata
from typing import Any

import pandas as pd

from .client import Client
from .errors import FieldProblem, KerncastError
from .forecast import Forecast, Forecasts
from .values import Interval, Trust

__version__ = metadata.version("kerncast")

__all__ = [
    "Client",
    "FieldProblem",
    "Forecast",
    "Forecasts",
    "Interval",
    "KerncastError",
    "Trust",
    "__version__",
    "devices",
    "forecast",
    "models",
    "samples",
]


def devices() -> pd.DataFrame:
    """`Client().devices()`."""
    return Client().devices()


def samples(**filters: Any) -> pd.DataFrame:
    """`Client().samples(…)`."""
    return Client().samples(**filters)


def models(**filters: Any) -> pd.DataFrame:
    """`Client().models(…)`."""
    return Client().models(**filters)


def forecast(*arguments: Any, **options: Any) -> Forecasts:
    """`Client().forecast(…)`."""
    return Client().forecast(*arguments, **options)
