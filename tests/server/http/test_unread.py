"""What is said about messages and bodies that cannot be read: in our words, whichever parser reads them."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from cardtable.base.message import from_data, plain
from cardtable.server.http.answers import NewTable
from cardtable.server.rooms import wire


def why(frame: str | bytes) -> tuple[int, str]:
    """The number in the refusal of a message, and the reason."""
    told = wire.parse(frame)
    assert isinstance(told, wire.RefusalSent)
    assert told.code == "message/syntax"
    return told.seq, plain(from_data(told.why))


NO_JSON = "it is not JSON"
OTHER = "it is not as described"


@pytest.mark.parametrize(
    ("frame", "seq", "told"),
    [
        ("", 0, NO_JSON),
        ("{", 0, NO_JSON),
        ('{"type":"move","seq":1,', 0, NO_JSON),
        (b"\xff", 0, NO_JSON),
        (b'{"type":"say","seq":1,"text":"\xff"}', 1, NO_JSON),
        ("7", 0, OTHER),
        ("[]", 0, OTHER),
        ("[" * 5000, 0, OTHER),
        # deeper than any Python reads: 3.12 goes ten times as deep as 3.11
        ('{"x":' * 100_000 + "1" + "}" * 100_000, 0, "it is nested too deep"),
        ("{}", 0, 'the field "type" is missing'),
        ('{"type":"undo"}', 0, 'the field "seq" is missing'),
        ('{"type":"move","seq":3}', 3, 'the field "move" is missing'),
        ('{"type":"undo","seq":3,"how":1}', 3, 'there is no field "how"'),
        ('{"type":"jump","seq":3}', 3, 'the value of "type" is not as described'),
        ('{"type":"undo","seq":"3"}', 0, 'the value of "seq" is not as described'),
        ('{"type":"undo","seq":-3}', 0, 'the value of "seq" is not as described'),
        ('{"type":"undo","seq":1e99}', 0, 'the value of "seq" is not as described'),
        ('{"type":"say","seq":3,"text":"' + "x" * 300 + '"}', 3, 'the value of "text" is not as described'),
        ('{"type":"why","moves":["7H",8]}', 0, 'the value of "moves[1]" is not as described'),
        ('{"type":"undo","seq":3,"' + "`" * 200 + '":1}', 3, 'there is no field ""'),
    ],
)
def test_a_message_that_cannot_be_read(frame: str | bytes, seq: int, told: str) -> None:
    """If it was a command, its sender learns which one, and does not wait for an answer."""
    assert why(frame) == (seq, told)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({}, 'the field "game" is missing'),
        ({"game": "fan-tan", "chairs": 3}, 'there is no field "chairs"'),
        ({"game": "fan-tan", "seats": "three"}, 'the value of "seats" is not as described'),
        ({"game": "fan-tan", "options": {"ante": {"of": 1}}}, 'the value of "options[...]" is not as described'),
    ],
)
def test_a_body_that_cannot_be_read(body: dict[str, Any], told: str) -> None:
    with pytest.raises(wire.UNREAD) as fault:
        msgspec.json.decode(json.dumps(body), type=NewTable)
    assert plain(wire.why_unread(fault.value)) == told
