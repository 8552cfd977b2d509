"""The notebooks run in a kernel of Jupyter's, and show what their texts say."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.programs import needs

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))

pytestmark = [pytest.mark.exhaustive, needs("nbclient", "ipykernel")]
#: what each notebook shows, in the order of its cells
SHOWN = {
    "match": ("image/svg+xml", "image/svg+xml", "DealResult(", "text/html", "text/html", ": "),
    "study": ("text/html", "True", "(12000,", "image/svg+xml"),
}


def read(path: Path) -> Any:
    """A notebook."""
    import nbformat

    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbclient import NotebookClient

    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)  # of the kernel, which runs elsewhere
    book = read(page)
    NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = []
    for cell in book.cells:
        if cell.cell_type == "code":
            assert [each for each in cell.outputs if each.output_type not in ("execute_result", "stream")] == []
            shown += [each.data for each in cell.outputs if each.output_type == "execute_result"]
    wanted = SHOWN[page.stem]
    assert len(shown) == len(wanted)
    for data, word in zip(shown, wanted, strict=True):
        assert word in data or word in data["text/plain"], (word, data["text/plain"])
        assert sum(map(len, data.values())) < 1_500_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_notebook_is_kept_without_its_output(page: Path) -> None:
    """Output would be old as soon as the code changes."""
    import nbformat

    book = read(page)
    nbformat.validate(book)
    assert [cell.id for cell in book.cells if cell.get("outputs") or cell.get("execution_count")] == []


def test_every_notebook_is_told_of() -> None:
    assert {page.stem for page in PAGES} == set(SHOWN)
