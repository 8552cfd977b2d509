"""A text that cannot be read is refused in our words, with its file, the line and the column: records, positions, lines
of JSON, settings. The sentences of Python's parsers are not translated, and say little to somebody who plays cards.
"""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from cardtable import Record, RecordError
from cardtable.base import toml
from cardtable.base.errors import PositionError
from cardtable.match import record_file
from cardtable.match.match import Position
from cardtable.server.configuration import SettingsError, load
from tests.support.commands import here

ENDS = "it ends here, where a quote, a bracket or a value is missing"
#: texts that are no TOML, and what is said of them
WRONG = {
    "x = = 3": "line 1, column 5: '= 3' cannot stand here",
    "a = 1\r\n\nb = 2 c": "line 3, column 7: 'c' cannot stand here",
    "a = [1 2]": "line 1, column 8: '2]' cannot stand here",
    "a = 01": "line 1, column 6: '1' cannot stand here",
    "\x00": "line 1, column 1: '\\x00' cannot stand here",
    "<!DOCTYPE html><html><body>Not found, and more": "'<!DOCTYPE html><html><body>Not found, an …' cannot stand here",
    "x = 3\nx = 4": "line 2, column 6: this key is there twice",
    "[a]\n[a]\n": "line 2, column 3: this key is there twice",
    "a = 1\na.b = 2\nc = 3": "this key is there twice",
    "a = {b = 1, b = 2}": "line 1, column 18: this key is there twice",
    'path = "C:\\data"': "line 1, column 13: the backslash before this stands for nothing: write two for a backslash",
    'x = "\\u12"': "the backslash before this stands for nothing",
    'x = "\\ud800"': "the backslash before this stands for nothing",
    "a = \n": f"line 1, column 5: {ENDS}",
    "a = 1\n[b\n": f"line 2, column 3: {ENDS}",
    "x = [1,\n2": f"line 2, column 2: {ENDS}",
    "x": f"line 1, column 2: {ENDS}",
    'a = """x': f"line 1, column 9: {ENDS}",
    "a = [" + "[" * 20: "its lists and tables are nested deeper than 16",
    "x" * 101 + " = 1": "a key or number is longer than 100 letters",
}


@pytest.mark.parametrize(("text", "told"), WRONG.items(), ids=lambda text: ascii(text)[:30])
def test_what_is_no_toml_is_said_in_our_words(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(toml.NotToml) as refused:
        toml.loads(text)
    assert told in str(refused.value)
    with pytest.raises(RecordError) as broken:
        Record.parse(text)
    assert (broken.value.code, str(broken.value.parts[1])) == ("record/syntax", str(refused.value))
    with pytest.raises(PositionError) as misread:
        Position.parse(text)
    assert (misread.value.code, str(misread.value.parts[1])) == ("position/syntax", str(refused.value))
    file = tmp_path / "server.toml"
    file.write_bytes(text.encode())
    with pytest.raises(SettingsError) as unset:
        load(file, {})
    assert str(file) in str(unset.value)
    assert told in str(unset.value)


def test_no_sentence_of_the_parser_is_left(tmp_path: Path) -> None:
    """For any fault of a text: cut anywhere, or with any letter in any place."""
    text = "a = 1\n[b]\nc = [\"x\", 'y', {d = 1.5}]\ne.f = 2020-01-01\n"
    cut = [text[:end] for end in range(len(text))]
    changed = [text[:at] + letter + text[at + 1 :] for at in range(len(text)) for letter in "\"'[]{}=.,#\\\n\x01é1"]
    for each in cut + changed:
        said = said_of(each)
        if not said:
            toml.loads(each)
            continue
        with pytest.raises(toml.NotToml, match=r"^line \d+, column \d+: ") as refused:
            toml.loads(each)
        assert said not in str(refused.value)


def said_of(text: str) -> str:
    """What Python's parser says of a text; "" if it can be read."""
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return str(error).partition(" (")[0]
    return ""


def test_the_file_of_a_record_is_named(tmp_path: Path) -> None:
    file = tmp_path / "match.toml"
    file.write_text("cardtable = 1\ngame = fan-tan\n", "utf-8")
    done = here("verify", str(file), code=None)
    assert done.returncode != 0
    output = " ".join((done.stdout + done.stderr).split())
    assert str(file) in output.replace(" ", "")
    assert "line 2, column 8: 'fan-tan' cannot stand here" in output


def test_bytes_that_are_no_text_have_a_line(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_bytes(b"a = 1\nb = '\xe9'\n")
    with pytest.raises(RecordError, match="line 2 is not UTF-8 text"):
        Record.load(file)
    with pytest.raises(SettingsError, match="line 2 is not UTF-8 text"):
        load(file, {})


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (b'{"a": 1,}', "it is no JSON from column 9 on"),
        ('{"é": "é" 1}'.encode(), "it is no JSON from column 11 on"),
        (b'{"a": ', "it is no JSON from column 6 on"),
        (b"{1}", "it is no JSON from column 2 on"),
        (b'{"a": "\xff"}', "it is no JSON object"),
        (b'{"a":' * 100_000, "it is nested too deep"),
    ],
    ids=["comma", "letters", "cut", "key", "bytes", "deep"],
)
def test_lines_of_json_have_a_column(line: bytes, told: str, tmp_path: Path) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(b'{"cardtable": 1}\n' + line + b"\n")
    with pytest.raises(RecordError) as refused:
        list(record_file.read(file))
    assert f"{file}, line 2: {told}" in str(refused.value)
