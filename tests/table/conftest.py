"""What the tests of live tables share."""

from __future__ import annotations

import pytest

from tests.support.server.served import Served
from tests.table.tables import Shuffles


@pytest.fixture
def shuffles(server: Served, monkeypatch: pytest.MonkeyPatch) -> Shuffles:
    """Shuffles that wait until the test continues."""
    return Shuffles(server, monkeypatch)
