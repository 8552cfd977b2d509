"""What the tests of the browser client share."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support import browser as chrome
from tests.support.server.served import Served


@pytest.fixture
def ann(browser: Any, server: Served) -> chrome.Watched:
    """A person at a desk, at the module's own server."""
    return chrome.visitor(browser, server.url, 1100, 700)
