"""Runs examples/forecast.ipynb, and as a program keeps what it shows."""

from __future__ import annotations

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).resolve().parents[2] / "examples/forecast.ipynb"


def run() -> nbformat.NotebookNode:
    """The notebook with what its cells show now.

    Raises:
        CellExecutionError: a cell failed.
    """
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    NotebookClient(
        notebook, timeout=600, record_timing=False, resources={"metadata": {"path": str(NOTEBOOK.parent)}}
    ).execute()
    return notebook


if __name__ == "__main__":
    nbformat.write(run(), NOTEBOOK)
