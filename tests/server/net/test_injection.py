"""Nothing that somebody has typed is obeyed by another's terminal or taken for a page: names, chat, reasons, records,
addresses, and the answers that repeat them. In the browser: test_browser_injection.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from click.testing import CliRunner

from cardtable import Match, bot, cli
from cardtable.base.message import Card, Message, Moves, Reader, Seat, printable
from cardtable.cli.commands.admin import show
from cardtable.server import app
from cardtable.server.app import WEB
from cardtable.server.http.api import OPERATIONS
from cardtable.table import commands as cm
from cardtable.table.setup import LONGEST_CHAT, LONGEST_NAME, clean
from tests.support import hostile
from tests.support.server.live import Driven
from tests.support.server.served import Served, pages


def obeyed(text: str) -> list[str]:
    return [letter for letter in hostile.OBEYED if letter in text]


# Names, chat and reasons


@pytest.mark.parametrize("text", hostile.TEXTS.values(), ids=hostile.TEXTS)
def test_names_and_chat_are_one_line_of_letters(text: str) -> None:
    for longest in (LONGEST_NAME, LONGEST_CHAT):
        shown = clean(text, longest)
        assert shown
        assert shown.isprintable()
        assert obeyed(shown) == []
        assert clean(shown, longest) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Z\u0335\u0321\u0353\u030d\u0315\u0360a\u0489\u0489\u0489\u0489o", "Z\u0335\u0321\u0353a\u0489\u0489\u0489o"),
        ("\u0301Ann \u0489Lee", "Ann Lee"),
        ("Ann\u034f", "Ann"),
        ("Ann\ufe0f", "Ann"),
        ("A\u3164n\u2800n", "A n n"),
        ("\u3164\u115f\u1160\uffa0", ""),
        ("❤\ufe0f ❤\ufe0e", "❤\ufe0f ❤\ufe0e"),
        ("👍🏽 José Nguyễn שָׁלוֹם क्षि ที่", "👍🏽 José Nguyễn שָׁלוֹם क्षि ที่"),
    ],
)
def test_marks_and_letters_without_a_shape(text: str, shown: str) -> None:
    """Marks cannot be piled up over other lines, and no name is invisible or looks like another's by such letters."""
    assert clean(text, 60) == clean(shown, 60) == " ".join(shown.split())


def test_invisible_letters_say_nothing() -> None:
    t = Driven(seats=3)
    assert t.ask("a", cm.Sit) is None
    refusal = t.ask("a", cm.Say, text="\u3164\u034f")
    assert refusal is not None
    assert refusal.code == "table/chat"


# The terminal


@pytest.mark.parametrize(
    "value", [hostile.ALL, Moves(hostile.ALL), [hostile.ALL, 1], Message("{x}", x=hostile.ALL), Seat(0)]
)
def test_a_sentence_has_nothing_that_a_terminal_obeys(value: Any) -> None:
    told = Reader([hostile.ALL]).plain(Message("{what}: {card}", what=value, card=Card("7H")))
    assert obeyed(told) == []
    assert r"\x1b[31mr\x9b2J\x07\x7f" in told
    assert r"a\u202ebc\u2067d" in told


def test_what_prints_stays_as_it_is() -> None:
    text = "a\tb\nc\u00a0d\u202fe 👩\u200d💻 שלום ❤\ufe0f"
    assert printable(text) == text


def printed(*words: str) -> str:
    """What the command line writes to a terminal that shows colours."""
    with CliRunner().isolation(color=True) as streams:
        with pytest.raises(SystemExit):
            cli.main(list(words))
        return streams[0].getvalue().decode() + streams[1].getvalue().decode()


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(one):04x}" if obeyed(one) else one for one in text).replace('"', '\\"')


COMMANDS = escaped(hostile.TEXTS["a terminal's commands"])


@pytest.fixture(scope="module")
def record() -> str:
    m = Match("fan-tan", 3, seed=1, deals=1)
    players = [bot("medium", 1) for _ in range(m.seats)]
    while not m.over:
        m.play(players[m.actors[0]].choose(m.view(m.actors[0])))
    return str(m.record())


#: what somebody may change in a record before they send it to another person
CHANGES = {
    "game": ('game = "fan-tan"', 'game = "{}"'),
    "rules": ('rules = "denexa"', 'rules = "{}"'),
    "title": ("version = 1", 'version = 1\ntitle = "{}"'),
    "seed": ('seed = "1"', 'seed = "{}"'),
    "option": ("[options]", '[options]\nante = "{}"'),
    "name of an option": ("[options]", '[options]\n"{}" = 1'),
    "move": ('"0 7H"', '"0 {}"'),
    "seat": ('"0 7H"', '"{} 7H"'),
    "cards": ("deal = 1\n", 'deal = 1\npack = "{}"\n'),
    "key": ("cardtable = 1", 'cardtable = 1\n"{}" = 1'),
    "players": ("cardtable = 1", 'cardtable = 1\nplayers = ["{}", "{}", "{}"]'),
}


@pytest.mark.parametrize("place", CHANGES)
def test_a_record_from_somebody_else_in_the_terminal(place: str, record: str, tmp_path: Path) -> None:
    """Whether it is replayed or refused, the terminal obeys nothing in it."""
    old, new = CHANGES[place]
    assert old in record
    file = tmp_path / "record.toml"
    file.write_text(record.replace(old, new.replace("{}", COMMANDS)), "utf-8")
    for words in (["replay"], ["replay", "--step"], ["replay", "--json"], ["verify"]):
        told = printed(*words, str(file))
        assert told.strip()
        assert obeyed(re.sub(r"\x1b\[\d*m", "", told, count=4 if "Error" in told else 0)) == []
        assert "\x1b[31mr" not in told


def test_the_saved_matches_in_the_terminal(record: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that somebody put among the saved matches is listed without its commands; titles are bold."""
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path))
    from cardtable.cli import saves

    folder = saves.directory()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "good.toml").write_text(record, "utf-8")
    (folder / "bad.toml").write_text(record.replace('"fan-tan"', f'"{COMMANDS}"'), "utf-8")
    told = printed("matches")
    assert "\x1b[1mFan Tan\x1b[0m" in told
    assert "\x1b[31m" not in told
    assert obeyed(printed("matches", "--json")) == []


def test_the_operators_tables_in_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a server answers: one that was taken over, or an old log."""
    show(("Name", "Chat"), [[hostile.ALL, f"[bold]{hostile.ALL}\nsecond line"]])
    told = capsys.readouterr().out
    assert obeyed(told) == []
    assert r"\x1b[31mr\x9b2J\x07\x7f" in told
    assert "second line" in told


# Answers


@pytest.fixture
def ann(server: Served) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=120) as client:
        client.get("/api/me")
        yield client


def harmless(answer: httpx.Response) -> None:
    """A browser takes the answer for what it is, and for no page."""
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["cross-origin-resource-policy"] == "same-origin"
    if answer.is_redirect:  # to the same address without a slash at its end
        assert re.match(r"/(?![/\\])", answer.headers["location"])
        return
    kind = answer.headers["content-type"].partition(";")[0]
    if kind == "text/html":
        assert "hit()" not in answer.text
        assert answer.text in pages() or not re.search(r"<(script|img|svg|iframe|a|style|link)\b", answer.text)
    else:
        assert kind in ("application/json", "application/toml", "image/svg+xml", "text/plain")
    if kind == "image/svg+xml":
        assert set(re.findall(r"<(\w+)", answer.text)) == {"svg", "path"}


GETS = sorted(told.path for told in OPERATIONS if told.method == "GET")
QUERIES = ("preset", "seats", "options", "of", "before", "deal", "next", "callback")


@pytest.mark.parametrize("path", GETS)
def test_no_answer_to_an_address_is_a_page_of_the_one_who_wrote_it(ann: httpx.Client, path: str) -> None:
    """Each text in each part of an address, and as a parameter, known or unknown, of each request; in each parameter
    that requests have, another text of each request.
    """
    for k, text in enumerate(hostile.TEXTS.values(), GETS.index(path)):
        address = re.sub(r"\{\w+\}", quote(text, ""), path)
        known = re.sub(r"\{\w+\}", quote(text, ""), path.replace("{name}", "fan-tan"))
        parameters = {QUERIES[k % len(QUERIES)]: text}
        for place, query in ((address, {}), (address, parameters), (known, parameters), (known, {text: text})):
            answer = ann.get(place, params=query)
            assert answer.status_code < 500, answer.text
            harmless(answer)


@pytest.mark.parametrize("text", hostile.TEXTS.values(), ids=hostile.TEXTS)
def test_pages_are_the_same_for_every_address(ann: httpx.Client, text: str) -> None:
    """The page of the client repeats nothing; what is none is refused as JSON or as plain text."""
    given = quote(text, "")
    for address in (f"/{given}", f"/t/{given}", f"/rules/{given}", f"/new?game={given}", f"/link?next={given}"):
        answer = ann.get(address, headers={"accept": "text/html"})
        harmless(answer)
    harmless(ann.get("/static/" + given))
    misled = ann.get("/", headers={"host": "evil.example", "accept": "text/html"})
    assert misled.status_code == 403
    assert misled.headers["content-type"].startswith("text/plain")
    assert misled.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("text", hostile.TEXTS.values(), ids=hostile.TEXTS)
def test_refusals_of_what_was_sent(ann: httpx.Client, text: str) -> None:
    """They repeat it as JSON, and in their sentences nothing that reorders or hides others."""
    for body in (
        {"game": text},
        {"game": "fan-tan", "preset": text},
        {"game": "fan-tan", "title": text},
        {"game": "fan-tan", "options": {text: 1}},
        {"game": "fan-tan", "options": {"ante": text}},
        {"game": "fan-tan", "bots": [text]},
        {"game": "fan-tan", "fill": text},
        {"game": "fan-tan", "clock": text},
        {"game": "fan-tan", "undo": text},
        {"game": "fan-tan", "start": text},
        {text: text},
    ):
        answer = ann.post("/api/tables", json=body)
        assert answer.status_code in (400, 404), answer.text
        harmless(answer)
        error = answer.json()["error"]
        assert obeyed(f"{error['what']} {error['why']} {error['can']}") == []


def test_downloads_are_files(ann: httpx.Client, record: str) -> None:
    """A record with scripts in it, and what the server keeps about a person: saved as files, and no pages."""
    name = escaped(hostile.ALL)
    text = f'x = "{name}"\nplayers = ["{name}", "{name}", "{name}"]\n' + record
    made = ann.post("/api/records", content=text.encode())
    assert made.status_code == 201, made.text
    for address, kind in (
        (f"/api/matches/{made.json()['id']}/record", "application/toml"),
        ("/api/me/data", "application/json"),
    ):
        answer = ann.get(address)
        harmless(answer)
        assert answer.headers["content-type"] == kind
        assert re.fullmatch(r'attachment; filename="[a-z0-9.-]+"', answer.headers["content-disposition"])
        assert "onerror" in answer.text
    kept = ann.get(f"/api/matches/{made.json()['id']}").json()
    assert {player["name"] for player in kept["players"]} == {clean(hostile.ALL, LONGEST_NAME)}


# Where markup is made

#: what makes elements, or runs, from a text
MARKUP = re.compile(
    r"[iI]nnerHTML|outerHTML|insertAdjacentHTML|parseFromString|createContextualFragment|setHTML|srcdoc"
    r"|document\.write|\beval\b|new Function"
)
#: the modules of the client that show rulebook pages, which the server has made of its files
RULEBOOK = {"net/book.js", "table/coach.js", "windows/rules.js"}
#: the modules of the server whose answers a browser may take for a page
PAGES = {"answers.py", "app.py"}
SERVER = Path(app.__file__).parent


def test_elements_are_made_from_rulebook_pages_only() -> None:
    """Another module that begins to make them needs separate tests, in test_browser_injection.py."""
    files = [*WEB.glob("*.js"), *WEB.glob("*/*.js")]
    assert len(files) > 80
    made = {file.relative_to(WEB).as_posix() for file in files if MARKUP.search(file.read_text("utf-8"))}
    assert made == RULEBOOK
    assert not [file.name for file in WEB.glob("*.html") if re.search(r"\son\w+=", file.read_text("utf-8"))]


def test_pages_come_from_two_modules() -> None:
    """The client's page, and the rulebook pages."""
    found = {
        file.name for file in SERVER.rglob("*.py") if re.search(r"text/html\"|HTMLResponse", file.read_text("utf-8"))
    }
    assert found - {"guarded.py"} == PAGES  # the guard looks for text/html in what a request accepts
