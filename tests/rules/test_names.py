"""Every game is found by every name under which the sources tell it: it opens the preset that the name means, and bears
the name.
"""

from __future__ import annotations

import io
import json
import re
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match, OptionError, Record, UnknownGame
from cardtable.base.names import slug
from cardtable.cli import saves
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset
from cardtable.server.http.answers import TitleStatistics
from cardtable.server.http.descriptions import by_title, match_told
from cardtable.server.store.listing import finished_of
from cardtable.server.store.store import Store
from cardtable.server.thinking import jobs
from cardtable.table import Setup
from cardtable.table.setup import checked
from tests.support.commands import call
from tests.support.server.live import Driven
from tests.support.server.served import Served

#: (source and line, the name as somebody types it, game, preset, title). The line says that the source calls its rules
#: so; a rule of common practice, that people do.
NAMES = [
    ("000:2", "Fan Tan", "fan-tan", "denexa", "Fan Tan"),
    ("000:2", "Parliament", "fan-tan", "denexa", "Parliament"),
    ("000:2", "stops", "fan-tan", "denexa", "Stops"),
    ("000:21", "Pirate", "pirate", "pirate", "Pirate"),
    ("000:44", "Spider", "spider", "four-suits", "Spider"),
    ("000:44", "spider solitaire", "spider", "four-suits", "Spider Solitaire"),
    ("000:64", "Oh Hell!", "oh-hell", "oh-hell", "Oh Hell!"),
    ("000:64", "oh hell", "oh-hell", "oh-hell", "Oh Hell!"),
    ("common practice", "up and down the river", "oh-hell", "common", "Up and Down the River"),
    ("common practice", "la pocha", "oh-hell", "pocha", "La Pocha"),
    ("common practice", "Pocha", "oh-hell", "pocha", "Pocha"),
    ("common practice", "Rikiki", "oh-hell", "common", "Rikiki"),
    ("common practice", "stiche raten", "oh-hell", "common", "Stiche-Raten"),
    ("000:88", "I Doubt It", "i-doubt-it", "doubt", "I Doubt It"),
    ("000:88", "cheat", "i-doubt-it", "doubt", "Cheat"),
    ("000:88", "B.S.", "i-doubt-it", "doubt", "B.S."),
    ("000:88", "BS", "i-doubt-it", "doubt", "B.S."),
    ("000:98", "Crazy Eights", "crazy-eights", "denexa", "Crazy Eights"),
    ("000:139", "scopa", "scopa", "scopa", "Scopa"),
    ("SC-C5", "scopone", "scopa", "scopone", "Scopone"),
    ("SC-C6", "Scopone Scientifico", "scopa", "scopone-ten", "Scopone scientifico"),
    ("SC-C7", "asso pigliatutto", "scopa", "asso-piglia-tutto", "Asso pigliatutto"),
    ("SC-C7", "Scopa d'assi", "scopa", "asso-piglia-tutto", "Scopa d'assi"),
    ("SC-C7", "Scaragoccia", "scopa", "asso-piglia-tutto", "Scaragoccia"),
    ("SC-C12", "escoba", "scopa", "escoba", "Escoba"),
    ("SC-C12", "Escoba de Quince", "scopa", "escoba", "Escoba de quince"),
    ("SC-C12", "scopa di quindici", "scopa", "escoba", "Scopa di quindici"),
    ("000:173", "Cassino", "cassino", "cassino", "Cassino"),
    ("000:174", "CASINO", "cassino", "cassino", "Casino"),
    ("000:201", "Thirty One", "thirty-one", "thirty-one", "Thirty-One"),
    ("000:213", "blitz", "thirty-one", "thirty-one", "Blitz"),
    ("002:79", "Solitaire", "spider", "four-suits", "Solitaire"),
    ("002:79", "patience", "spider", "four-suits", "Patience"),
    ("002:131", "Michigan", "michigan", "michigan", "Michigan"),
    ("002:104", "newmarket", "michigan", "michigan", "Newmarket"),
    ("002:104", "Chicago", "michigan", "michigan", "Chicago"),
    ("002:104", "Michigan Boodle", "michigan", "michigan", "Michigan Boodle"),
    ("002:104", "saratoga", "michigan", "michigan", "Saratoga"),
    ("002:129", "Cross-Color Michigan", "michigan", "cross-color", "Cross-Color Michigan"),
    ("002:134", "sequence michigan", "michigan", "sequence", "Sequence Michigan"),
    ("002:139", "jackpot_michigan", "michigan", "jackpot", "Jackpot Michigan"),
    ("002:177", "Boodle", "michigan", "boodle", "Boodle"),
    ("002:175", "Spinade", "michigan", "spinado", "Spinade"),
    ("002:175", "Spin", "michigan", "spinado", "Spin"),
    ("002:175", "spinado", "michigan", "spinado", "Spinado"),
    ("002:179", "Pope Joan", "michigan", "pope-joan", "Pope Joan"),
    ("002:179", "pope-joan", "michigan", "pope-joan", "Pope Joan"),
    ("002:216", "Fan-Tan", "fan-tan", "denexa", "Fan Tan"),
    ("002:187", "Card Dominoes", "fan-tan", "stops", "Card Dominoes"),
    ("002:187", "sevens", "fan-tan", "stops", "Sevens"),
    ("002:209", "Play or Pay", "play-or-pay", "stops", "Play or Pay"),
    ("002:214", "five or nine", "five-or-nine", "five-or-nine", "Five or Nine"),
    ("002:216", "Domino Whist", "five-or-nine", "five-or-nine", "Domino Whist"),
    ("002:218", "Domino Fan-Tan", "domino-fan-tan", "domino-fan-tan", "Domino Fan-Tan"),
    ("002:220", "two-handed fan tan", "domino-fan-tan", "domino-fan-tan", "Two-Handed Fan Tan"),
    ("003:75", "original Fan Tan", "play-or-pay", "original", "Original Fan Tan"),
    ("004:5", "Bullshit", "i-doubt-it", "bullshit", "Bullshit"),
    ("004:11", "BUSCA", "busca", "busca", "Busca"),
]
TYPED = pytest.mark.parametrize(("typed", "game", "preset", "title"), [row[1:] for row in NAMES])


def ask(server: Served, path: str, body: dict[str, Any] | None = None) -> Any:
    with urllib.request.urlopen(server.url + path, json.dumps(body).encode() if body else None) as answer:
        return json.load(answer)


# Each name, everywhere


@TYPED
def test_the_library(typed: str, game: str, preset: str, title: str) -> None:
    m = Match(typed, seed=1)
    assert (m.game.name, m.rules, m.title, m.view(0).title) == (game, preset, title, title)
    assert m.view(0).text().startswith(f"{title}, deal 1")
    record = str(m.record())
    assert ("title = " in record) == (title != m.game.titles[preset])
    for again in (
        Match.from_record(record),
        Match.from_position(m.position().text),
        Match.from_position({**m.position().keys, "game": typed}),
    ):
        assert (again.game.name, again.rules, again.title) == (game, preset, title)


@TYPED
def test_the_command_line(
    typed: str, game: str, preset: str, title: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardtable.precompile.ready", lambda *_: True)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert call(capsys, "play", *typed.split(), "--seed", "1", "--bot", "medium")[1].startswith(f"{title}: ")
    assert call(capsys, "rules", typed)[0] == 0


@TYPED
def test_the_server(typed: str, game: str, preset: str, title: str, server: Served) -> None:
    answer = ask(server, f"/api/games/{urllib.parse.quote(typed)}")
    assert answer["name"] == game
    assert answer["opens"] == {"name": slug(title), "title": title, "preset": preset}
    made = ask(server, "/api/tables", {"game": typed, "sit": False})
    invite = ask(server, f"/api/tables/{made['id']}")
    assert (invite["game"], invite["preset"], invite["title"]) == (game, preset, title)


def test_every_name_is_of_one_game_and_opens_it() -> None:
    names = [
        (slug(name.title), game.name, name.presets[0], name.title)
        for game in catalog.games().values()
        for name in game.names
    ]
    assert len({name for name, *_ in names}) == len(names)
    for name, game, preset, title in names:
        assert catalog.variant(name) == catalog.Variant(catalog.games()[game], preset, title)
    for known in catalog.games().values():
        assert all(set(name.presets) <= set(known.presets) for name in known.names), known.name
        assert catalog.variant(known.name).title == known.title


@pytest.mark.parametrize("game", list(catalog.games().values()), ids=lambda game: game.name)
def test_the_names_on_a_page_open_its_game(game: Game) -> None:
    match = re.search(r"\*(?:Also called|Other names)\* ([^·\n]+)", game.rulebook)
    for name in match[1].strip().split(", ") if match else ():
        assert catalog.find(name.removeprefix("the ")) is game


# A name and a preset


@pytest.mark.parametrize(
    ("name", "rules", "preset", "title"),
    [
        ("michigan", "Pope Joan", "pope-joan", "Pope Joan"),
        ("michigan", "cross color", "cross-color", "Cross-Color Michigan"),
        ("Michigan", "Cross-Color Michigan", "cross-color", "Cross-Color Michigan"),
        ("michigan", "Spin", "spinado", "Spinado"),
        ("fan-tan", "stops", "stops", "Stops Fan Tan"),  # the preset, though a source calls another one's rules Stops
        ("fan-tan", "British", "british", "British Fan Tan"),
        ("Pope Joan", "boodle", "boodle", "Boodle"),  # what is said explicitly holds
        ("Newmarket", "jackpot", "jackpot", "Jackpot Michigan"),
        ("Newmarket", "michigan", "michigan", "Newmarket"),
        ("Sevens", "british", "british", "Sevens"),  # 003 calls its rules so, too
        ("Sevens", "ultimate", "ultimate", "Ultimate Fan Tan"),
        ("Original Fan Tan", "stops", "stops", "Play or Pay"),
        ("spider", "two suits", "two-suits", "Two-Suit Spider"),
    ],
)
def test_a_preset_beside_a_name_holds(name: str, rules: str, preset: str, title: str) -> None:
    variant = catalog.variant(name, rules)
    assert (variant.preset, variant.title) == (preset, title)


def test_a_preset_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="preset 'british': there is no such preset") as caught:
        Match("Pope Joan", rules="british")
    assert caught.value.code == "options/preset"


@pytest.mark.parametrize(
    ("typed", "hint"),
    [
        ("newmarkt", "Did you mean newmarket?"),
        ("domino", "Did you mean domino-whist, domino-fan-tan or card-dominoes?"),
        ("british", "Did you mean british-fan-tan?"),
        ("joan", "Did you mean pope-joan?"),
        ("michigan jackpot", "Did you mean jackpot-michigan?"),
        ("poker", "There are busca, cassino,"),
        ("", "There are busca, cassino,"),
        ("?!", "There are busca, cassino,"),
        ("x" * 100_000, "There are busca, cassino,"),
        ("Newmarket" + " " * 100_000, "Did you mean newmarket?"),
    ],
)
def test_what_is_no_name(typed: str, hint: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        catalog.find(typed)
    assert hint in str(caught.value)
    assert len(str(caught.value)) < 400


def test_what_is_no_text_is_no_name() -> None:
    with pytest.raises(UnknownGame, match="game '7': there is no such game"):
        Match(7)  # type: ignore[arg-type]


# The title is kept


def test_a_title_in_a_record_is_one_of_the_games_names() -> None:
    record = Match("Newmarket", seed=1).record().as_dict()
    assert record["title"] == "Newmarket"
    assert Record(record).title == "Newmarket"
    for wrong in ("Sevens", "<b>", 7):
        with pytest.raises(Exception, match="title") as caught:
            Match.from_record({**record, "title": wrong})
        assert getattr(caught.value, "code", "") == "record/syntax"
    assert Match.from_record({**record, "title": "saratoga"}).title == "Saratoga"
    assert Match.from_record({name: value for name, value in record.items() if name != "title"}).title == "Michigan"


def test_a_match_put_aside_is_offered_by_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path))
    for name in ("michigan", "Boodle", "Newmarket"):
        Match(name, seed=1).record().save(saves.place(catalog.find(name)))
    titles = {
        name: sorted(Record.load(path).title for path in saves.unfinished(Ruleset.parse(name)))
        for name in ("Boodle", "Newmarket", "Saratoga")
    }
    assert titles == {"Boodle": ["Boodle"], "Newmarket": ["Newmarket"], "Saratoga": []}
    assert len(saves.unfinished(Ruleset.parse("michigan"))) == 3
    with pytest.raises(OptionError, match="no match of Saratoga is saved"):
        saves.latest(Ruleset.parse("Saratoga"))


def test_a_setup_keeps_the_title_and_its_table_bears_it() -> None:
    setup = checked(Setup("saratoga"))
    assert (setup.game, setup.title, setup.preset, setup.known_as) == ("michigan", "Saratoga", "michigan", "Saratoga")
    assert checked(setup) == setup
    assert checked(Setup("boodle")) == checked(Setup("michigan", preset="Boodle"))
    with pytest.raises(OptionError, match="title 'Sevens': Michigan has no such name"):
        checked(Setup("michigan", title="Sevens"))
    table = Driven("saratoga", "a", bots=("", "medium", "medium", "medium")).table
    assert table.match
    assert table.match.title == "Saratoga"
    record = table.match.record()
    assert checked(Setup("michigan", bots=("", "medium", "medium", "medium"), start=str(record))).title == "Saratoga"
    assert jobs.kept(str(record), "ann", 1000).title == "Saratoga"


@pytest.mark.parametrize(("opened", "kept_title"), [("Boodle", ""), ("Saratoga", "Saratoga")])
def test_a_finished_match_is_listed_and_counted_by_its_title(opened: str, kept_title: str, tmp_path: Path) -> None:
    table = Driven(opened, "a", bots=("", "medium", "medium", "medium")).table
    assert table.match
    table.match.resign(0)
    finished = finished_of(table, 1)
    assert (finished.game, finished.title, Record.parse(finished.record).title) == ("michigan", kept_title, opened)
    store = Store(f"sqlite:///{tmp_path / 'tables.db'}")
    store.keep(finished)
    assert [match_told(match, "a").title for match in store.matches_of("a")] == [opened]
    assert [row.title for row in by_title(store.statistics("a"))] == [opened]
    store.close()


def test_statistics_go_by_title() -> None:
    """Newmarket is counted as Newmarket, Boodle as Boodle however it was opened, and older matches by their presets."""
    won = {"won": 2, "clean": 1, "undone": 0, "hinted": 1, "deals": 4}
    rows = [
        {"game": "michigan", "preset": "boodle", "title": "", "matches": 2, "score": -5, **won},
        {"game": "michigan", "preset": "michigan", "title": "", "matches": 3, "score": 1, **won},
        {"game": "michigan", "preset": "michigan", "title": "Newmarket", "matches": 4, "score": 0, **won},
        {"game": "fan-tan", "preset": "gone", "title": "", "matches": 1, "score": 2, **won},
        {"game": "fan-tan", "preset": "denexa", "title": "", "matches": 1, "score": 2, **won},
    ]
    assert by_title(rows) == [
        TitleStatistics(game="michigan", title="Boodle", matches=2, score=-5, **won),
        TitleStatistics(game="michigan", title="Michigan", matches=3, score=1, **won),
        TitleStatistics(game="michigan", title="Newmarket", matches=4, score=0, **won),
        TitleStatistics(
            game="fan-tan", title="Fan Tan", matches=2, score=4, won=4, clean=2, undone=0, hinted=2, deals=8
        ),
    ]
