"""Makes kerncast.rest of the server's openapi.json whenever the package is built: nobody edits it, nobody keeps it."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).parent
DESCRIPTION = HERE.parent / "openapi.json"
CLIENT = HERE / "src" / "kerncast" / "rest"


def generate() -> None:
    """Raises SystemExit where the description has something that the generator does not take."""
    command = ["openapi-python-client", "generate", "--path", DESCRIPTION, "--config", HERE / "generator.yaml"]
    command += ["--meta", "none", "--overwrite", "--output-path", CLIENT]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    log = said.stdout + said.stderr
    if said.returncode != 0 or "warning" in log.lower():
        raise SystemExit(f"{log}\nopenapi.json has something that generators of clients do not take")


class Hook(BuildHookInterface[Any]):
    """Before a wheel or a source distribution is made. The latter has the client, and not what it is made of."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if DESCRIPTION.exists():
            generate()


if __name__ == "__main__":
    sys.exit(generate())
