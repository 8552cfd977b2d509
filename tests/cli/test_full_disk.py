"""On a full disk each command that writes says which file could not be written, and what was there stays whole."""

from __future__ import annotations

from pathlib import Path

import ladder
import pytest

from cardtable import Match
from cardtable.base.errors import SaveError
from cardtable.lab.json_lines import Lines
from cardtable.match import record_file
from tests.support import damage
from tests.support.commands import here, leave_process_alone
from tests.support.programs import require

RECORDS = "records.jsonl"

#: a command, after the words of which comes the file that it writes
WRITERS: dict[str, list[str]] = {
    "picture": ["picture", "record.toml", "--out", "new.svg"],
    "page of a match": ["picture", "record.toml", "--out", "new.html"],
    "records of a simulation": ["simulate", "scopa", "--deals", "50", "--records", "new.cards"],
    "rows of a study": ["study", "scopa", "--deals", "50", "--out", "new.csv"],
    "columns of a study": ["study", "scopa", "--deals", "50", "--out", "new.parquet"],
    "report of a study": ["study", "scopa", "--deals", "50", "--report", "new.html"],
    "blocks of a study": ["study", "scopa", "--deals", "50", "--save", "new.study"],
    "merged records": ["records", "merge", RECORDS, "--out", "new.jsonl"],
    "merged collection": ["records", "merge", RECORDS, "--out", "new.cards"],
    "split records": ["records", "split", RECORDS, "--every", "2", "--to", "new"],
    "deals of a study of solving": ["solve", "spider", "--deals", "1", "--seconds", "1", "--keep", "new.jsonl"],
    "a game of one's own": ["new", "game", "new"],
    "a bot of one's own": ["new", "bot", "new"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with a record and several records as lines."""
    monkeypatch.chdir(tmp_path)
    leave_process_alone(monkeypatch)
    m = Match("scopa", 2, seed=3)
    m.record().save(tmp_path / "record.toml")
    record_file.write_lines(tmp_path / RECORDS, [m.record().keys] * 3)
    return tmp_path


@pytest.mark.parametrize("words", WRITERS.values(), ids=WRITERS)
def test_the_file_is_named(words: list[str], folder: Path) -> None:
    if "new.parquet" in words:
        require("pyarrow")
    with damage.full_disk():
        done = here(*words, code=None)
    assert done.returncode == 3, done.stderr
    said = done.stderr.strip().splitlines()[-1]
    assert "new" in said, said
    assert "fault in Cardtable" not in done.stderr


@pytest.mark.parametrize("name", ["picture", "page of a match", "rows of a study", "report of a study"])
def test_what_was_there_stays_whole(name: str, folder: Path) -> None:
    """Where a command writes a file anew."""
    words = WRITERS[name]
    old = folder / words[-1]
    old.write_text("the old one", "utf-8")
    before, others = old.read_bytes(), sorted(folder.iterdir())
    with damage.full_disk():
        here(*words, code=3)
    assert old.read_bytes() == before
    assert sorted(folder.iterdir()) == others


def test_lines_that_are_added_one_by_one(tmp_path: Path) -> None:
    """What was kept before stays, and is added to when there is space again."""
    path = tmp_path / "kept.jsonl"
    lines = Lines(path)
    lines.add({"deal": 1})
    with damage.full_disk(), pytest.raises(SaveError, match=r"kept\.jsonl"):
        lines.add({"deal": 2})
    lines.add({"deal": 3})
    assert Lines(path).read == [{"deal": 1}, {"deal": 3}]


def test_the_rungs_of_a_ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "files", lambda _: tmp_path)
    rung = dict.fromkeys(ladder.KEPT_FIGURES, 0) | {"game": "scopa", "rules": "scopa", "upper": "search"}
    ladder.write([rung])
    before = (tmp_path / "ladder.json").read_bytes()
    with damage.full_disk(), pytest.raises(SaveError, match=r"ladder\.json"):
        ladder.write([rung])
    assert (tmp_path / "ladder.json").read_bytes() == before
