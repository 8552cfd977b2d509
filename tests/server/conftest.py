"""What the tests of the server share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from cardtable.precompile import warm
from cardtable.rules import catalog
from tests.support.server.served import Served, served


@pytest.fixture(scope="session")
def fan_tan() -> None:
    """Fan Tan is compiled: no test waits for the compiler."""
    warm(catalog.find("fan-tan"))


@pytest.fixture
def each(database: str, tmp_path: Path) -> Iterator[Served]:
    """A server on each kind of database."""
    with served(tmp_path / "unused", database=database) as one:
        yield one
