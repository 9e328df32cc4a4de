"""Generates kerncast.rest from openapi.json when the package is built. It is not edited, and not in the repository."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
DESCRIPTION = HERE.parent / "openapi.json"
CLIENT = HERE / "src" / "kerncast" / "rest"


def generate() -> None:
    """Writes the client.

    Raises:
        SystemExit: the generator fails or warns.
    """
    command = ["openapi-python-client", "generate", "--path", DESCRIPTION, "--config", HERE / "generator.yaml"]
    command += ["--meta", "none", "--overwrite", "--output-path", CLIENT]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    log = process.stdout + process.stderr
    if process.returncode != 0 or "warning" in log.lower():
        raise SystemExit(f"{log}\nopenapi.json has something that client generators do not support")


class Hook(BuildHookInterface[Any]):
    """Runs before a wheel or a source distribution is made; the latter has the client, but not openapi.json."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if DESCRIPTION.exists():
            generate()


if __name__ == "__main__":
    sys.exit(generate())
