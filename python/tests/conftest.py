"""A real server with real samples: thirteen kernels on an H200 and an EPYC (examples/kernels.csv)."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import kerncast

ROOT = Path(__file__).resolve().parents[2]
# Enough for two busy cores.
_READY_S, _FITTED_S = 120, 900


def binary(name: str) -> Path:
    """The program that cargo has built."""
    path = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "debug" / name
    assert path.exists(), f"{path} is not there: cargo build --workspace"
    return path


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The address of a server whose fits are done."""
    with tempfile.TemporaryDirectory() as folder:
        # As root the server's Postgres runs as another user, who must be able to pass.
        Path(folder).chmod(0o755)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            address = f"127.0.0.1:{free.getsockname()[1]}"
        data = Path(folder) / "data"
        environment = {key: value for key, value in os.environ.items() if key != "DATABASE_URL"}
        server = subprocess.Popen(
            [binary("kerncast-server"), "--listen", address, "--data", data],
            env=environment | {"RUST_LOG": "warn"},
        )
        try:
            url = f"http://{address}"
            _ready(url, server)
            variables = {
                "KERNCAST_SERVER": url,
                "KERNCAST_TOKEN_FILE": str(data / "token"),
                "XDG_CONFIG_HOME": folder,
            }
            table = ROOT / "examples/kernels.csv"
            subprocess.run([binary("kerncast"), "import", str(table)], env=environment | variables, check=True)
            end = time.monotonic() + _FITTED_S
            while kerncast.Client(url, token="").pending():
                assert time.monotonic() < end, "the fits take too long"
                time.sleep(0.5)
            yield url
        finally:
            server.terminate()
            server.wait(60)


def _ready(url: str, server: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + _READY_S
    while True:
        assert server.poll() is None, "the server ended before it was ready"
        assert time.monotonic() < end, "the server is not ready"
        try:
            kerncast.Client(url, token="").pending()
            return
        except kerncast.KerncastError:
            time.sleep(0.1)


@pytest.fixture
def client(url: str) -> kerncast.Client:
    return kerncast.Client(url)


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests use no settings of the person who runs them."""
    for name in os.environ:
        if name.startswith("KERNCAST_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
