"""What the tests of the kernel share: places with separate rules. Compiling is a cost of no single test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel.processes import RULES, TOTAL, begun, output


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with separate rules, and an empty cache."""
    (tmp_path / "rows.py").write_text(RULES, "utf-8")
    return tmp_path


@pytest.fixture(scope="session")
def compiled_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with rules that have been compiled for one record."""
    place = tmp_path_factory.mktemp("compiled")
    (place / "rows.py").write_text(RULES, "utf-8")
    assert output(begun(place, TOTAL, "5")).split() == ["30", "3"]
    return place


@pytest.fixture
def used(compiled_place: Path, tmp_path: Path) -> Iterator[Path]:
    """That directory; its cache is put back afterwards, since code is filed under its path."""
    shutil.copytree(compiled_place / "cache", tmp_path / "cache")
    yield compiled_place
    shutil.rmtree(compiled_place / "cache")
    shutil.copytree(tmp_path / "cache", compiled_place / "cache")


@pytest.fixture(scope="module")
def both_compiled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A place where two processes have compiled the same functions at once, for different records, and which way."""
    place, way = tmp_path_factory.mktemp("both"), request.param
    (place / "rows.py").write_text(RULES, "utf-8")
    running = [begun(place, TOTAL, str(n), way=way) for n in (40, 3)]
    assert [output(process).split() for process in running] == [["1640", "3"], ["12", "3"]], "three functions each"
    return place, way
