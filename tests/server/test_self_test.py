"""Before it listens, a server tries the libraries on whose undocumented parts its connections build."""

from __future__ import annotations

import re

import pytest

from cardtable.base.errors import CardtableError
from cardtable.cli.commands.serve import run
from cardtable.server import self_test
from cardtable.server.net.connections import Http, Socket


def test_the_installed_libraries_work() -> None:
    self_test.check()


def changed(*_: object) -> None:
    raise AttributeError("'Socket' object has no attribute 'frames'")


@pytest.mark.parametrize(
    ("protocol", "method"),
    [(Socket, "send_receive_event_to_app"), (Socket, "shutdown"), (Socket, "handle_connect"), (Http, "data_received")],
)
def test_a_library_that_has_changed_is_named_before_anything_is_served(
    protocol: type, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocol, method, changed)
    with pytest.raises(CardtableError) as refused:
        run(None, 0, None, browser=False)
    said = str(refused.value)
    assert re.search(r"uvicorn \d+\.\d+.*websockets \d+\.\d+.*AttributeError.*pip install uvicorn==", said), said
    assert "\n" not in said


def test_a_message_that_does_not_arrive_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing raises an error: the test's time limit ends it."""
    monkeypatch.setattr(Socket, "tell", lambda self, text: True)
    monkeypatch.setattr(self_test, "WITHIN", 0.05)
    with pytest.raises(CardtableError, match="TimeoutError"):
        self_test.check()
