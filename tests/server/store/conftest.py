"""What the tests of the store share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cardtable.server.store.store import Store


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    yield opened
    opened.close()
