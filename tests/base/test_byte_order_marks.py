"""Text files as editors and shells of Windows write them are read as any other."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest

from cardtable import Match
from cardtable.cli.commands import solve
from cardtable.match import record_file
from cardtable.match.match import Record
from cardtable.server import configuration
from tests.support import damage

UTF16 = {
    "UTF-16": lambda text: codecs.BOM_UTF16_LE + text.decode().encode("utf-16-le"),
    "UTF-16, big end first": lambda text: codecs.BOM_UTF16_BE + text.decode().encode("utf-16-be"),
}
FORMS = damage.KEPT | UTF16
each = pytest.mark.parametrize("form", FORMS)


def played() -> Match:
    """A match whose record has several lines."""
    m = Match("scopa", 2, seed=3)
    m.play(m.legal()[0])
    return m


@each
@pytest.mark.usefixtures("plainly")
def test_records_and_positions(tmp_path: Path, form: str) -> None:
    m = played()
    file = tmp_path / "it.toml"
    file.write_bytes(FORMS[form](str(m.record()).encode()))
    assert str(Match.from_record(Record.load(file)).record()) == str(m.record())
    assert [Record(keys).keys for keys in record_file.read(file)] == [m.record().keys]
    file.write_bytes(FORMS[form](m.position().text.encode()))
    assert solve._from_file(str(file)).position().text == m.position().text


@pytest.mark.parametrize("form", damage.KEPT)
@pytest.mark.usefixtures("plainly")
def test_text_that_a_program_read_itself(form: str) -> None:
    """Python leaves the mark at the beginning of the text."""
    m = played()
    for text, back in ((str(m.record()), Match.from_record), (m.position().text, Match.from_position)):
        assert str(back(FORMS[form](text.encode()).decode()).position()) == str(m.position())


@pytest.mark.parametrize("form", damage.KEPT)
@pytest.mark.usefixtures("plainly")
def test_lines_of_json(tmp_path: Path, form: str) -> None:
    file = tmp_path / "it.jsonl"
    assert record_file.write_lines(file, [played().record().keys] * 2) == 2
    whole = list(record_file.read(file))
    file.write_bytes(FORMS[form](file.read_bytes()))
    assert list(record_file.read(file)) == whole


@each
def test_settings_of_a_server(tmp_path: Path, form: str) -> None:
    file = tmp_path / "server.toml"
    file.write_bytes(FORMS[form](b"port = 9000\nmost_tables = 7\n"))
    settings = configuration.load(file, {})
    assert (settings.port, settings.settings.most_tables) == (9000, 7)
