"""The server's address and the token, from the same variables and the same file as the program `kerncast`
(docs/settings.md)."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import KerncastError

DEFAULT_URL = "http://127.0.0.1:7310"


@dataclass(frozen=True)
class Settings:
    """Where the server is and how to reach it."""

    url: str
    token: str | None
    certificate: Path | None
    """PEM file of the certificates to trust, in place of the public authorities."""


def find(
    url: str | None = None,
    token: str | None = None,
    certificate: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> Settings:
    """Settings from the arguments, else the environment, else the configuration file, else the defaults.

    Raises:
        KerncastError: an address is invalid, or the configuration file or the token file can't be read.
    """
    environment = os.environ if environment is None else environment
    file, config = _config(environment)
    url = url or environment.get("KERNCAST_SERVER") or config.get("server") or DEFAULT_URL
    if not url.startswith(("http://", "https://")):
        raise KerncastError(f"{url}: expected the address of a server, such as {DEFAULT_URL}")
    pem = certificate or environment.get("KERNCAST_CERTIFICATE")
    if pem is None and "certificate" in config:
        pem = _beside(file, config["certificate"])
    return Settings(url.rstrip("/"), token or _token(environment, file, config), Path(pem) if pem else None)


def _token(environment: Mapping[str, str], file: Path, config: Mapping[str, str]) -> str | None:
    if path := environment.get("KERNCAST_TOKEN_FILE"):
        return _read(Path(path))
    if token := environment.get("KERNCAST_TOKEN"):
        return token.strip()
    if "token-file" in config:
        return _read(_beside(file, config["token-file"]))
    default = _folder(environment, "XDG_DATA_HOME", ".local/share") / "token"
    if os.geteuid() == 0:
        default = Path("/var/lib/kerncast/token")
    # Many servers can be read without a token, so this file may be missing.
    return _read(default) if os.access(default, os.R_OK) else None


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError as error:
        raise KerncastError(f"cannot read the token file {path}: {error.strerror}") from error


def _config(environment: Mapping[str, str]) -> tuple[Path, dict[str, str]]:
    file = _folder(environment, "XDG_CONFIG_HOME", ".config") / "config.toml"
    try:
        values: dict[str, Any] = tomllib.loads(file.read_text())
    except FileNotFoundError:
        return file, {}
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise KerncastError(f"cannot read {file}: {error}") from error
    for key, value in values.items():
        if not isinstance(value, str):
            raise KerncastError(f"{file}: {key} is {value!r}; expected text")
    return file, values


def _folder(environment: Mapping[str, str], variable: str, default: str) -> Path:
    path = Path(environment.get(variable, ""))
    # The XDG specification has relative paths ignored.
    return (path if path.is_absolute() else Path.home() / default) / "kerncast"


def _beside(file: Path, path: str) -> Path:
    """A path in the configuration file: relative to the file's folder, unless it begins with / or ~/."""
    return file.parent / Path(path).expanduser()
