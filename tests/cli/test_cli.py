"""The commands that do not play: lists, rules, replay, help; errors for people and programs; exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cardtable import CardtableError, Match, cli
from cardtable.base import languages
from cardtable.base.errors import IllegalMove, NotYourTurn
from cardtable.base.message import ENGLISH, Message, Seat
from cardtable.cli import rulebook_text
from cardtable.cli.commands import rules
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.tell import NAMES
from cardtable.match.match import Record
from cardtable.rules import catalog
from cardtable.rules.options import Kind, Words
from tests.support.commands import ROOT, call, surroundings
from tests.support.programs import needs

# Quick to start


@pytest.mark.parametrize("words", [["--help"], ["games", "--json"], ["rules", "fan-tan"], ["play", "--help"], ["plai"]])
def test_commands_that_play_nothing_import_nothing_heavy(words: list[str]) -> None:
    """Processes: so they start at once. This one has imported everything."""
    ask = (
        f"import sys; from cardtable.cli import main\ntry: main({words})\nexcept SystemExit: pass\nprint([m for m in "
        "('numpy', 'numba', 'textual') if m in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=60
    )
    assert done.stderr.splitlines()[-1] == "[]"


def test_every_command_has_help(capsys: pytest.CaptureFixture[str]) -> None:
    overview = call(capsys, "--help")[1]
    for command in cli.cli.list_commands(None):  # type: ignore[arg-type]
        code, out, _ = call(capsys, command, "--help")
        assert code == 0
        assert out.startswith(f"Usage: cardtable {command}")
        assert f"\n  {command} " in overview


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version")[:2] == (0, "cardtable, version 0.1.0\n")


# Completion


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("cardtable ma", {"matches"}),
        ("cardtable play fan", {"fan-tan"}),
        ("cardtable simulate fan", {"fan-tan"}),
        ("cardtable rules newm", {"newmarket"}),
        ("cardtable play fan-tan --rules b", {"british"}),
        ("cardtable play fan-tan --set settle", {"settle=pot", "settle=direct"}),
        ("cardtable play --rules b", set()),
        ("cardtable simulate spider --bot s", {"soft", "search"}),
        ("cardtable league spider ran", {"random"}),
        ("cardtable play fan-tan --set pass_chip=", {"pass_chip=0", "pass_chip=1"}),
        ("cardtable play scopa --seats", {"--seats"}),
        ("cardtable rules fan-tan FT-2", {f"FT-2{n}" for n in range(10)}),
        ("cardtable play whist --rules ", set()),
        ("cardtable play fan-tan --na", {"--name"}),
    ],
)
def test_the_shell_completes_games_presets_and_house_rules(
    typed: str, offered: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = typed.split(" ")
    monkeypatch.setenv("_CARDTABLE_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    output = {line.partition(",")[2] for line in call(capsys)[1].splitlines() if line}
    assert output == offered


@needs("bash")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ("play fan-tan --set settle = d", {"direct"}),
        ("play fan-tan --set settle =", {"pot", "direct"}),
        ("play fan-tan --set deal", {"deals="}),
        ("play scopa --seat n", {"none"}),
        ("play --resume fan", {"fan-tan-x.toml"}),
    ],
)
def test_bash_completes_values_and_files(words: str, offered: set[str], tmp_path: Path) -> None:
    """As bash asks: it treats `=` as a separate word, and completes files itself."""
    (tmp_path / "fan-tan-x.toml").write_text("")
    program = tmp_path / "cardtable"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m cardtable \"$@\"\n")
    program.chmod(0o755)
    said = words.split()
    last = "" if said[-1] == "=" and len(said) > 1 else said[-1]
    script = (
        f'PATH="{tmp_path}:$PATH"; cd "{tmp_path}"; eval "$(_CARDTABLE_COMPLETE=bash_source cardtable)"; '
        f"COMP_WORDS=(cardtable {words}); COMP_CWORD={len(said)}; compopt() {{ compgen -f -- '{last}' >> files; }}; "
        "_cardtable_completion cardtable; printf '%s\\n' \"${COMPREPLY[@]}\"; cat files 2>/dev/null; true"
    )
    environment = surroundings(PYTHONPATH=str(ROOT), CARDTABLE_DATA=str(tmp_path / "none"))
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    output = {line for line in done.stdout.splitlines() if line}
    assert output == offered


# Games and rules


def test_games_lists_every_game(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "games")
    assert code == 0
    assert "2 to 12 players, best 4 or 5; difficulty low, length short\n" in out
    for game in catalog.games().values():
        assert f"{game.name} " in out
        shown = " ".join(out.partition(f"\n{game.name} ")[2].split() if f"\n{game.name} " in out else out.split())
        for name in game.names[1:]:
            assert name.title in shown


def test_games_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(call(capsys, "games", "--json")[1])
    assert [game["name"] for game in data] == list(catalog.games())
    fan_tan = next(game for game in data if game["name"] == "fan-tan")
    assert fan_tan["presets"] == ["denexa", "stops", "british", "ultimate"]
    assert fan_tan["seats"] == [2, 12]
    assert fan_tan["best"] == [4, 5]
    assert (fan_tan["difficulty"], fan_tan["length"]) == ("low", "short")
    assert fan_tan["title"] == "Fan Tan"
    assert fan_tan["titles"] == {
        "denexa": "Fan Tan",
        "stops": "Stops Fan Tan",
        "british": "British Fan Tan",
        "ultimate": "Ultimate Fan Tan",
    }
    assert "sevens" in fan_tan["aliases"]
    assert {"name": "british-fan-tan", "title": "British Fan Tan", "presets": ["british"]} in fan_tan["names"]


@pytest.mark.parametrize("name", list(catalog.games()))
def test_the_whole_rulebook_and_every_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game = catalog.find(name)
    code, out, _ = call(capsys, "rules", name, "--all")
    assert code == 0
    assert game.rulebook in out
    for option, kind in game.options.kinds().items():
        values = rules.domain(game.words[option], kind)
        assert f"\n{option} = {values}\n    {kind.text} ({kind.rules})\n    default: " in out


def test_the_whole_rulebook_tells_the_defaults_of_each_preset(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "rules", "sevens", "--all")[1]
    assert (
        "default: whoever has fewer cards (fewer_extra); stops: nobody (flat); british: nobody (flat); ultimate: "
        "whoever has more cards (more_extra)\n"
    ) in out
    assert "default: one for each seat\n" in out  # the number of deals follows from the seats
    assert out.endswith(
        "Seats: denexa 2 to 12 (best 3 to 8), stops 2 to 12 (best 4), british 2 to 12 (best 4 to 6), ultimate 2 to 12 "
        "(best 4 or 5)\n"
    )


@pytest.mark.parametrize(
    ("language", "lines"),
    [
        ("de", ["re_bello = aus (off) | an (on)", "    Standard: aus (off)", "target = 11 | 15 | 16 | 21 | 31"]),
        ("en", ["re_bello = off | on", "    default: off", "target = 11 | 15 | 16 | 21 | 31"]),
    ],
)
def test_values_of_house_rules_are_listed_in_the_readers_language_and_as_they_are_typed(
    language: str, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(languages, "_language", ENGLISH)
    languages.use(language)
    assert set(lines) <= set(rules.option_text(catalog.find("scopa")).splitlines())


def test_a_house_rule_with_a_number_or_a_word_lists_both() -> None:
    words = Words("turns", {"none": "no limit"})
    assert rules.domain(words, Kind("", "", ("none",), 1, 100)) == "no limit (none) | 1 to 100"
    assert rules.domain(words, Kind("", "", (), 0, 3)) == "0 to 3"
    assert rules.domain(words, Kind("", "", ("AH", "KC"), read=str, also="other cards")) == "AH | KC | other cards"


def test_rules_are_those_of_a_preset_and_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    out = call(capsys, "rules", "fan-tan")[1]
    assert (
        "Other rules: stops, british, ultimate (`cardtable rules fan-tan --rules stops`). Fines, as in the book: "
        "--fines. The whole rulebook page: `cardtable rules fan-tan --all`." in out
    )
    assert "These are the rules of Fan Tan." in out
    assert "| FT-16 |" in out
    assert "| FT-17 |" not in out
    out = call(capsys, "rules", "fan-tan", "--rules", "ultimate", "--set", "ante=2", "--seats", "5")[1]
    assert "These are the rules of Ultimate Fan Tan for 5 players. House rules at this table:" in out
    assert "- `ante`: **2** instead of 1 (chips everybody puts in before a deal; 0: nobody antes at all)" in out
    assert "Everybody puts 2 chips into the pot, and whoever is dealt more cards than others 3 chips." in out
    assert "| `ante` | 2 | 0 to 1000 |" in out
    assert "eldest round to the dealer: 5 players 11 11 10 10 10." in out
    assert call(capsys, "rules", "fan-tan", "--all", "--rules", "stops")[0] == 2
    assert call(capsys, "rules", "fan-tan", "--set", "ante=-1")[0] != 0


def test_rules_for_programs(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(call(capsys, "rules", "fan-tan", "--rules", "stops", "--set", "ante=3", "--json")[1])
    assert list(data) == ["name", "title", "rules", "seats", "values", "page", "presets", "options", "fines"]
    assert (data["rules"], data["seats"], data["values"]["ante"]) == ("stops", None, 3)
    assert "Everybody puts 3 chips into the pot" in data["page"]
    assert data["presets"]["british"]["fine_when"] == "forced"
    assert data["presets"]["denexa"]["ante"] == 1
    assert {row["name"] for row in data["options"]} == set(data["presets"]["denexa"])
    ante = next(row for row in data["options"] if row["name"] == "ante")
    assert ante == {
        "name": "ante",
        "values": "0 to 1000",
        "default": 1,
        "rules": "FT-16, FT-17, FT-18, FT-19",
        "text": "chips everybody puts in before a deal; 0: nobody antes at all",
    }
    whole = json.loads(call(capsys, "rules", "fan-tan", "--all", "--json")[1])
    assert list(whole) == ["name", "title", "page", "presets", "options", "fines"]
    assert whole["page"] == catalog.find("fan-tan").rulebook


def test_a_clause_as_a_table_has_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "rules", "scopa", "SC-24", "--set", "target=21")[1].startswith(
        "SC-24 · First to 21 points wins."
    )
    assert (
        call(capsys, "rules", "michigan", "MI-57", "--rules", "pope-joan")[1]
        == "MI-57 · The money cards are 9D TD JC QS KH.\n"
    )
    assert call(capsys, "rules", "michigan", "MI-57", "--rules", "boodle")[1].startswith(
        "(does not apply under these house rules)\nMI-57 · pope-joan: "
    )


def test_a_single_clause(capsys: pytest.CaptureFixture[str]) -> None:
    row = call(capsys, "rules", "fan-tan", "ft-25")[1]
    assert row.startswith("FT-25 · Cards that fit after the opening")
    assert row.count("\n") == 1
    assert call(capsys, "rules", "fan-tan", "FT-Q14")[1].startswith("FT-Q14 What if everybody passes wrongly?")
    example = call(capsys, "rules", "fan-tan", "FT-E6")[1]
    assert "FT-E6 A dead deal\n" in example
    assert "FT-E7" not in example
    assert rulebook_text.clauses(catalog.find("fan-tan"), "FT-2") == []  # it is no beginning of FT-25


def test_a_clause_of_a_game_whose_rules_are_shared(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "rules", "five-or-nine", "FT-25")[1].startswith("(from the page of Fan Tan)\nFT-25 · ")


def test_every_rule_that_a_game_can_name_is_on_a_page() -> None:
    for game in catalog.games().values():
        for rule in game.presentation.REASONS:
            assert rulebook_text.clauses(game, rule), f"{game.name}: {rule} is on no page"


# Errors

WRONG: list[tuple[list[str], int, str]] = [
    (["plai", "fan-tan"], 2, "There is no command 'plai'. Did you mean play?"),
    (
        ["zzz"],
        2,
        "There are admin, bench, games, league, learn, matches, new, picture, play, records, replay, review, rules, "
        "serve, simulate, skill, solve, study, verify, warm.",
    ),
    (["rules", "fantam"], 2, "game 'fantam': there is no such game. Did you mean fan-tan?"),
    (["play", "fan-tan", "--seatz", "3"], 2, "No such option"),
    (["play", "fan-tan", "--rules", "britsh"], 2, "preset 'britsh': there is no such preset. Did you mean british?"),
    (["play", "fan-tan", "--seats", "99"], 2, "99 seats: denexa is for 2 to 12 players, best 3 to 8. Take 2 to 12"),
    (["play", "spider", "--seats", "3"], 2, "3 seats: four-suits is for one player only. Leave --seats out, or take 1"),
    (["play", "fan-tan", "--seats", "four"], 2, "'four' is not a valid integer"),
    (["play", "fan-tan", "--set", "anti=2"], 2, "option 'anti': there is no such option. Did you mean ante?"),
    (["play", "fan-tan", "--set", "ante=-1"], 2, "ante=-1: must be from 0 to 1000"),
    (["play", "fan-tan", "--set", "ante"], 2, "--set ante: write option=value"),
    (["play", "fan-tan", "--set", "ante=2", "--set", "ante=3"], 2, "--set ante is given twice"),
    (["play", "fan-tan", "--set", "settle=dirct"], 2, "did you mean direct?"),
    (
        ["play", "fan-tan", "--set", "stakes=none", "--set", "enforce=penalise"],
        2,
        "stakes=none with enforce=penalise: a fine needs chips",
    ),
    (["play", "fan-tan", "--bot", "serch"], 2, "bot 'serch': there is no such level. Did you mean search?"),
    (["play", "fan-tan", "--seat", "4"], 2, "seat 4: the seats are 0 to 3"),
    (["play", "fan-tan", "--seat", "me"], 2, "seat me: the seats are 0 to 3. Name one of them, or none to watch"),
    (["play"], 2, "play: no game is named"),
    (["play", "fan-tan", "--set", "ante=x"], 2, "ante=x: must be a whole number from 0 to 1000"),
    (
        ["play", "fan-tan", "--name", "KC"],
        2,
        "--name 'KC': a name has 1 to 24 letters, and none that stand for a card, such as KC",
    ),
    (["play", "fan-tan", "--name", "a\u202eb"], 2, "U+202E RIGHT-TO-LEFT OVERRIDE cannot be shown in a name"),
    (["play", "fan-tan", "--name", "x" * 25], 2, "Choose another name"),
    (["simulate", "fan-tan", "--deals", "0"], 2, "0 is out of range: take 1 to 10,000,000,000"),
    (["simulate", "fan-tan", "--deals", "10000000001"], 2, "is out of range"),
    (
        ["simulate", "fan-tan", "--deals", "1.5"],
        2,
        "'1.5' is not a whole number: write for instance 5000, 5_000, 1e6, 20k or 1m",
    ),
    (["league", "fan-tan", "medium", "random", "--deals", "1e0"], 2, "1e0 is out of range: take 2 to 10,000,000"),
    (["simulate", "fan-tan", "--threads", "65"], 2, "65 is not in the range 1<=x<=64"),
    (["simulate", "fan-tan", "--bot", "medium,random"], 2, "2 bots: there are 4 seats"),
    (["league", "fan-tan", "medium"], 2, "it needs two levels or more"),
    (["warm"], 2, "Name games, or write --all."),
    (["replay", "/nowhere/match.toml"], 3, "record /nowhere/match.toml: there is no such file"),
]


@pytest.mark.parametrize(("words", "code", "text"), WRONG, ids=lambda x: " ".join(x) if isinstance(x, list) else None)
def test_what_is_wrong_is_said(words: list[str], code: int, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code, out, err = call(capsys, *words)
    assert exit_code == code
    assert text.lower() in " ".join(err.split()).lower()
    assert out == ""


@pytest.mark.parametrize(
    ("words", "code", "name"),
    [
        (["rules", "x", "--json"], 2, "game/unknown"),
        (["simulate", "fan-tan", "--seats", "13", "--json"], 2, "options/seats"),
        (["replay", "/nowhere", "--json"], 3, "record/file"),
        (["simulate", "fan-tan", "--deals", "x", "--json"], 2, "use"),
    ],
)
def test_errors_for_programs(words: list[str], code: int, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    exit_code, out, err = call(capsys, *words)
    assert (exit_code, out) == (code, "")
    error = json.loads(err)["error"]
    assert list(error) == ["code", "what", "why", "can"]
    assert error["code"] == name
    assert error["what"]


def test_a_fault_is_owned_up_to(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> None:
        raise ZeroDivisionError("by nought")

    monkeypatch.setattr(catalog, "games", broken)
    monkeypatch.delenv("CARDTABLE_DEBUG", raising=False)
    code, _, err = call(capsys, "games")
    assert code == 70
    assert (
        err
        == "Error: a fault in Cardtable itself (ZeroDivisionError: by nought). Set CARDTABLE_DEBUG=1 to see where, and "
        "please report it.\n"
    )
    monkeypatch.setenv("CARDTABLE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["games"])


@needs("bash")
def test_a_reader_that_leaves_is_no_fault() -> None:
    """Processes, as it is a pipe that ends."""
    command = f"'{sys.executable}' -m cardtable rules fan-tan | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "# Fan Tan\n")


# Replay


def match() -> Match:
    """Two deals, played by their first legal moves."""
    m = Match("fan-tan", 3, "british", seed="replay", deals=2)
    while not m.over:
        m.play(m.legal()[0])
    return m


@pytest.fixture(scope="module")
def m() -> Match:
    """A finished match."""
    return match()


@pytest.fixture
def file(m: Match, tmp_path: Path) -> Path:
    m.record().save(tmp_path / "m.toml")
    return tmp_path / "m.toml"


def test_replay_prints_the_result_of_each_deal(m: Match, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert m.result
    code, out, _ = call(capsys, "replay", str(file))
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "British Fan Tan, 3 seats, seed replay: Ann, Ben, Cleo"
    for line, deal in zip(lines[1:3], m.deals, strict=True):
        assert deal.result
        assert (
            line == f"deal {deal.number}: {len(deal.acts)} moves, {NAMES[deal.result.winner or 0]} wins, payoff "
            f"{' '.join(f'{x:+}' for x in deal.result.payoff)}"
        )
    assert lines[3].startswith(f"result: scores {' '.join(map(str, m.result.scores))}; winner")
    assert len(lines) == 4


def test_replay_step_by_step(m: Match, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = call(capsys, "replay", str(file), "--step")[1].splitlines()
    act = m.moves[0]
    assert lines[1] == f"    1  {NAMES[act.seat]:<4}  {act.move}" + "  (forced)" * act.forced
    assert len(lines) == 4 + len(m.moves)


def test_replay_names_the_players_as_at_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who sat there is You; the others' names follow round the table."""
    m = match()
    Record({**m.record().keys, "table": {"seat": 1, "bot": "medium"}}).save(tmp_path / "m.toml")
    out = call(capsys, "replay", str(tmp_path / "m.toml"), "--step")[1]
    assert out.splitlines()[0].endswith(": Ben, You, Ann")
    assert "seat" not in out.splitlines()[1]
    assert m.result
    assert "  You " in out
    assert "You wins" not in out


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (NotYourTurn(0, [1]), "You may not act: it is Ben's turn. Wait for your turn"),
        (NotYourTurn(1, [0]), "Ben may not act: it is your turn. Wait for your turn"),
        (NotYourTurn(None, [0, 1]), "A move: you and Ben may act now. Name the seat"),
        (
            IllegalMove(
                0, "knock", Message("{seat} {seat:has|have} knocked already", seat=Seat(1)), "TO-Q12", ["stock"]
            ),
            "You may not play knock: Ben has knocked already (TO-Q12). You may: stock",
        ),
    ],
)
def test_refusals_name_the_players(error: CardtableError, told: str) -> None:
    assert tell.reader(["You", "Ben"]).plain(error.message, sentence=True) == told


def test_replay_for_programs(m: Match, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert m.result
    data = json.loads(call(capsys, "replay", str(file), "--json")[1])
    assert (data["game"], data["rules"], data["seats"], data["unfinished"]) == ("fan-tan", "british", 3, False)
    assert [deal["deal"] for deal in data["deals"]] == [1, 2]
    assert [deal["moves"] for deal in data["deals"]] == [len(deal.acts) for deal in m.deals]
    assert [tuple(deal["payoff"]) for deal in data["deals"]] == [result.payoff for result in m.results]
    assert data["result"] == {"scores": list(m.result.scores), "winners": list(m.result.winners), "resigned": None}


def test_replay_of_a_match_put_aside(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    m = Match("fan-tan", 3, seed="aside", auto=False)
    m.record().save(tmp_path / "m.toml")
    out = call(capsys, "replay", str(tmp_path / "m.toml"))[1]
    assert f"deal 1: 0 moves, not over; {NAMES[m.actors[0]]} to act\nunfinished: scores" in out
    data = json.loads(call(capsys, "replay", str(tmp_path / "m.toml"), "--json")[1])
    assert (data["result"], data["unfinished"], data["deals"][0]["payoff"]) == (None, True, None)


def broken(text: str, how: str) -> str:
    """A record with its fourth move swapped for a card that lies on the table, or cut off in its second deal."""
    if how == "cut":
        return text[: text.rindex("[[deals]]") + 100]
    start = text.index("moves = [")
    moves = json.loads(text[start + 8 : text.index("]", start) + 1].replace(",\n]", "]"))
    return text.replace(f'"{moves[3]}"', f'"{moves[3].split()[0]} {moves[0].split()[1]}"', 1)


@pytest.mark.parametrize(
    ("how", "code", "says"),
    [("illegal", "record/illegal", ("deal 1, move 4", "(FT-")), ("cut", "record/truncated", ("deal 2", "(FT-"))],
)
def test_a_broken_record_is_refused_with_place_and_rule(
    file: Path, how: str, code: str, says: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    file.write_text(broken(file.read_text(), how))
    exit_code, out, err = call(capsys, "replay", str(file))
    assert (exit_code, out) == (1, "")
    for words in says:
        assert words in err
    exit_code, out, err = call(capsys, "replay", str(file), "--json")
    assert exit_code == 1
    assert json.loads(err)["error"]["code"] == code


def test_every_error_says_what_why_and_what_to_do() -> None:
    error = CardtableError("a", "b", "c")
    assert str(error) == "a: b. C"
    kinds: list[Any] = [CardtableError, *CardtableError.__subclasses__()]
    assert {kind.exit_code for kind in kinds} <= {1, 2, 3}


#: zsh without its editor: what the completion would offer is printed, after the options that it is offered with
OFFERED = """
compdef() { : }
_describe() { local name=$3; shift 3; print -rl -- "${(P@)name/%/ $*}" }
eval "$(_CARDTABLE_COMPLETE=zsh_source cardtable)"
words=(cardtable ${=LINE_TYPED}); CURRENT=$#words
_cardtable_completion
"""


def asked(command: list[str], place: Path, **more: str) -> str:
    """What a shell says in which `cardtable` is a command."""
    program = place / "cardtable"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m cardtable \"$@\"\n")
    program.chmod(0o755)
    path = f"{place}{os.pathsep}{os.environ['PATH']}"
    environment = surroundings(PATH=path, PYTHONPATH=str(ROOT), HOME=str(place), **more)
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


@needs("fish")
@pytest.mark.parametrize(
    ("line", "offered"),
    [("play fan", "fan-tan"), ("play fan-tan --rules ", "british"), ("rules pope-joan --set deals", "deals=")],
)
def test_fish_completes(line: str, offered: str, tmp_path: Path) -> None:
    script = f"_CARDTABLE_COMPLETE=fish_source cardtable | source; complete -C 'cardtable {line}'"
    offers = asked(["fish", "-c", script], tmp_path)
    assert offered in [row.partition("\t")[0] for row in offers.splitlines()]


@needs("zsh")
@pytest.mark.parametrize(
    ("line", "offered", "blank"),
    [
        ("play fan", "fan-tan", True),
        ("play fan-tan --rules b", "british", True),
        ("rules pope-joan --set deals", "deals=", False),
        ("play fan-tan --set settle=d", "settle=direct", True),
    ],
)
def test_zsh_completes_and_writes_no_blank_after_an_equals_sign(
    line: str, offered: str, blank: bool, tmp_path: Path
) -> None:
    offers = asked(["zsh", "-f", "-c", OFFERED], tmp_path, LINE_TYPED=line).splitlines()
    row = next(row for row in offers if row.startswith(f"{offered}:"))
    assert row.endswith(" -U") == blank
    assert row.endswith(" -U -S ") == (not blank)
