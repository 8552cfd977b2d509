"""For any damage to a file, each command that reads it ends with a sentence that names the file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import ladder
import pytest

from cardtable import Match
from cardtable.base import platform
from cardtable.base.errors import OptionError, RecordError, SaveError
from cardtable.kernel import Switch, cache
from cardtable.lab import winnability
from cardtable.lab.json_lines import Lines
from cardtable.lab.study.study_file import Saved
from cardtable.match import record_file
from cardtable.server import one_process
from cardtable.server.people import admin_token
from cardtable.server.store.store import Store
from tests.support import damage
from tests.support.commands import here, leave_process_alone
from tests.support.programs import require


@dataclass
class Files:
    """One file of each kind that a command reads, and a folder for what it writes."""

    folder: Path

    def __post_init__(self) -> None:
        self.record = self.folder / "a record.toml"
        self.position = self.folder / "a position.toml"
        self.lines = self.folder / "lines.jsonl"
        self.many = self.folder / "many.cards"
        self.settings = self.folder / "server.toml"

    def make(self) -> None:
        m = Match("scopa", 2, seed=3)
        m.record().save(self.record)
        self.position.write_text(Match("scopa", 2, seed=4).position().text, "utf-8")
        record_file.write_lines(self.lines, [m.record().keys] * 3)
        with record_file.Collection(self.many, create=True) as many:
            many.add([m.record().keys] * 3)
        self.settings.write_text("most_tables = 7\n", "utf-8")


READERS: dict[str, tuple[str, Callable[[Files], list[object]]]] = {
    "replay": ("record", lambda files: ["replay", files.record]),
    "review": ("record", lambda files: ["review", files.record, "--iterations", "100"]),
    "picture": ("record", lambda files: ["picture", files.record, "--out", files.folder / "out.svg"]),
    "picture of a position": ("position", lambda files: ["picture", files.position, "--out", files.folder / "out.svg"]),
    "verify": ("record", lambda files: ["verify", files.record]),
    "resume": ("record", lambda files: ["play", "--resume", files.record]),
    "records of a record": ("record", lambda files: ["records", "check", files.record]),
    "records of lines": ("lines", lambda files: ["records", "stats", files.lines]),
    "records of a collection": ("many", lambda files: ["records", "check", files.many]),
    "merge": ("lines", lambda files: ["records", "merge", files.lines, "--out", files.folder / "out.jsonl"]),
    "solve": ("position", lambda files: ["solve", files.position]),
    "serve": ("settings", lambda files: ["serve", "--config", files.settings]),
}
#: what may leave a file that says something else, or nothing, but can be read
READABLE = {"empty", "cut", "cut by a byte", "one bit"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Files:
    files = Files(tmp_path_factory.mktemp("whole"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Switch, "plain", True)
        patched.setattr(cache, "ready", lambda name: True)
        files.make()
    return files


@pytest.fixture(autouse=True)
def unserved(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server ends once it has opened its database."""
    leave_process_alone(monkeypatch)
    monkeypatch.setattr(one_process, "serve", lambda bound, database, *_: Store(database).close())


@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_named(reader: str, whole: Files, tmp_path: Path) -> None:
    kind, words = READERS[reader]
    original = getattr(whole, kind)
    for form, harm in damage.LOST.items():
        files = replace(whole, folder=tmp_path / form)
        files.folder.mkdir()
        file: Path = getattr(files, kind)
        shutil.copy(original, file)
        harm(file)
        done = here(*map(str, words(files)), code=None, CARDTABLE_DATA=str(tmp_path / "data"))
        about = f"{form}: {done}"
        if done.returncode == 0 and form in READABLE:
            continue
        assert done.returncode in (1, 2, 3), about
        assert not done.stdout or reader.startswith("records"), about
        *usage, last = done.stderr.strip().splitlines()
        assert str(file) in last or reader == "solve" and last.startswith("Error: solving: Scopa has no solver"), about
        assert last.startswith("Error: ") or reader.startswith("records"), about
        assert not usage or usage[0].startswith("Usage: "), about


def test_a_damaged_database_is_named(tmp_path: Path) -> None:
    """Before the server answers; the same words as at the tables while it runs."""
    whole = tmp_path / "whole.db"
    Store(f"sqlite:///{whole}").close()
    for form, harm in damage.LOST.items():
        file = tmp_path / form / "tables.db"
        file.parent.mkdir()
        shutil.copy(whole, file)
        harm(file)
        given = ["serve", "--port", "0", "--database", f"sqlite:///{file}"]
        done = here(*given, code=None, CARDTABLE_DATA=str(tmp_path))
        if done.returncode == 0 and form in READABLE | {"a dead link"}:
            continue
        assert done.returncode == 3, f"{form}: {done}"
        known = "the database cannot be read or written", "Too many levels of symbolic links"
        assert any(f"Error: the database {file}: " in done.stderr and why in done.stderr for why in known), done


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://someone:secret@host/x", "tables are kept in SQLite or PostgreSQL, not in mysql"),
        ("nonsense", "Could not parse SQLAlchemy URL"),
    ],
)
def test_another_database_is_refused(url: str, why: str) -> None:
    done = here("serve", "--port", "0", "--database", url, code=3)
    assert why in done.stderr
    assert "secret" not in done.stderr
    assert "pip" not in done.stderr


def kept(file: Path) -> object:
    study = Saved(file, {"game": "scopa"})
    try:
        return study.block(0, 1)
    finally:
        study.close()


@pytest.mark.parametrize("form", damage.LOST)
def test_a_damaged_study_is_named_or_begun_anew_and_never_read_as_another(form: str, tmp_path: Path) -> None:
    file, lines = tmp_path / "a study", tmp_path / "lines"
    study = Saved(file, {"game": "scopa"})
    study.keep(0, 1, (0, 1), b"sums")
    study.close()
    solved: dict[str, Any] = {"deal": 1, "status": "solved", "moves": 3, "states": 4, "seconds": 0.5, "attempts": 1}
    for told in ({"study": "spider"}, solved):
        Lines(lines).add(told)
    tried: Any = ((file, kept, ((0, 1), b"sums")), (lines, winnability.read, [winnability.TriedDeal(**solved)]))
    for one, read, whole in tried:
        assert read(one) == whole
        damage.LOST[form](one)
        try:
            found = read(one)
        except (SaveError, OptionError, RecordError) as error:
            found, said = None, str(error)
        else:
            said = str(one)
        assert found in (whole, None, [])
        assert str(one) in said
        assert "\n" not in said


@pytest.mark.parametrize("form", damage.LOST)
def test_a_damaged_token_is_named(form: str, tmp_path: Path) -> None:
    file = tmp_path / "admin-token"
    admin_token.made_in(tmp_path)
    damage.LOST[form](file)
    if form not in ("a dead link", "a link to itself"):
        file.chmod(0o600)
    done = here("admin", "tables", "--url", "http://127.0.0.1:9", "--token-file", str(file), code=None)
    if form not in ("one bit", "cut by a byte", "a directory", "a directory with a file"):
        assert str(file) in done.stderr
    assert done.returncode in (2, 3)


def test_a_pipe_that_somebody_writes_to_is_read(whole: Files, tmp_path: Path) -> None:
    """As in `cardtable replay <(zcat FILE)`; it can be read only once."""
    for kind, words in ((each, READERS[each][1]) for each in ("replay", "solve", "records of a record", "merge")):
        ours, its = os.pipe()
        with open(ours, "rb"), open(its, "wb") as writer:
            writer.write(getattr(whole, READERS[kind][0]).read_bytes())
            writer.flush()
            os.set_blocking(its, False)
            writer.close()
            files = replace(whole, folder=tmp_path)
            place = Path(f"/dev/fd/{ours}")
            given = [place if word == getattr(files, READERS[kind][0]) else word for word in words(files)]
            done = here(*map(str, given), code=None, CARDTABLE_DATA=str(tmp_path / "data"))
        assert done.returncode == 0 or kind == "solve", done
        assert "solver" in done.stderr or kind != "solve", done


def test_a_file_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "LARGEST", 1000)
    done = here("replay", "/dev/zero", code=None)
    assert done.returncode == 3
    assert done.stderr == "Error: record /dev/zero: it cannot be read: it is larger than 256 MiB. Give a text file\n"


# A full disk

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
    """Where a command rewrites a file."""
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
