"""The example notebook runs, here on the tests' server, and what is checked in shows what it should."""

from __future__ import annotations

import nbformat
import pytest
from notebook import NOTEBOOK, run

_LARGEST = 300_000


def media_types(notebook: nbformat.NotebookNode) -> set[str]:
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    outputs = [output for cell in cells for output in cell.outputs]
    assert all(output.output_type != "error" for output in outputs)
    return {media_type for output in outputs for media_type in output.get("data", {})}


# Of what Jupyter needs of asyncio and of its own.
@pytest.mark.filterwarnings("default")
def test_it_runs(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNCAST_SERVER", url)
    assert {"text/html", "image/png"} <= media_types(run())


def test_what_is_checked_in_has_tables_and_figures_and_is_small() -> None:
    text = NOTEBOOK.read_text()
    assert len(text) < _LARGEST
    assert {"text/html", "image/png"} <= media_types(nbformat.reads(text, as_version=4))
    assert "trust: " in text
