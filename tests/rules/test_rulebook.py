"""The rules that are shown are those of the game at hand: pages rendered for presets, seats and house rules, and the
help at the table.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import cache
from typing import Any

import pytest

from cardtable.base.errors import AmbiguousMove, OptionError
from cardtable.cli.terminal import table_help
from cardtable.match.match import Match
from cardtable.rules import catalog, rulebook
from cardtable.rules.game import Game
from cardtable.rules.rulebook import UNKNOWN, PageFault, render, whole
from cardtable.rules.ruleset import Ruleset
from tests.support.games import golden

PRESETS = [(game.name, preset) for game in catalog.games().values() for preset in game.presets]


def page_of(name: str, preset: str | None = None, seats: int | None = None, **house: Any) -> str:
    ruleset = Ruleset.parse(name, preset, seats, house)
    return ruleset.game.rules_here(ruleset.preset, ruleset.options, seats)


def ids(page: str) -> set[str]:
    """The rules, questions and examples that a page lays down."""
    return set(re.findall(r"(?m)^(?:\| |- \*\*|### )([A-Z]{2,3}-[QESC]?\d+)\b", page))


def misnumbered(text: str) -> list[str]:
    """Items of numbered lists that are not one after the other."""
    wrong, number = [], 0
    for line in text.split("\n"):
        if match := re.match(r"(\d+)\. ", line):
            wrong += [line] if int(match[1]) != number + 1 else []
            number = int(match[1])
        elif line.strip() and not line.startswith(" "):
            number = 0
    return wrong


def faults(text: str) -> list[str]:
    """Lines in which something was left open, or which no longer read as sentences."""
    plain = [re.sub(r"`[^`]*`|\[[^\]]*\]\([^)]*\)", "X", line) for line in text.split("\n")]
    return misnumbered(text) + [
        line
        for line in plain
        if re.search(r"<!--|-->|[{}]|UNKNOWN|\.\.|\. \.| [,.;]|,,|\( |\(\)|[a-z][.!?][A-Z]|:\.", line)
        and "…" not in line
    ]


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_page_names_the_number_of_players_that_set_up_calls_best(name: str, preset: str) -> None:
    """Or none: where the sources differ, the head of the page names it for all presets together only."""
    low, high = catalog.find(name).best_for(preset)
    said = re.search(r"\*Players\*[^·\n]* best (?:with )?([0-9ort ]+)", page_of(name, preset))
    numbers = list(map(int, re.findall(r"\d+", said[1]))) if said else [low, high]
    assert (numbers[0], numbers[-1]) == (low, high)


# The language of the marks

VALUES = {"ante": 2, "rule": "flat", "money": "AH KC", "seats": 3}


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a <!-- if ante == 2 -->b <!-- end -->c", "a b c"),
        ("a <!-- if ante > 2 -->b <!-- end -->c", "a c"),
        ("a<!-- if ante > 2 --> b<!-- else:  d -->.", "a d."),
        ('a.<!-- if rule == "flat": Next. -->', "a. Next."),
        ('a.<!-- if rule == "flat": Next. -->Then', "a. Next. Then"),
        ("<!-- = ante -->1<!-- end --> chips", "2 chips"),
        ("<!-- = money -->`JS`<!-- end -->", "`AH KC`"),
        ("<!-- = chips(ante) -->1 chip<!-- end -->", "2 chips"),
        ('a<!-- if "KC" in money:  has {word(count(money))}: {listed(money)} -->', "a has two: AH and KC"),
        ('<!-- if rule in ("flat", "steep") and not ante == 1 -->a<!-- end -->', "a"),
        ('<!-- if rule != "flat" or seats // 2 == 1 -->a<!-- end -->', "a"),
        ("<!-- if ante == 2 -->a<!-- if seats == 4 -->b<!-- end -->c<!-- end -->", "ac"),
        ("<!-- if whole -->a<!-- else: b -->", "b"),
        ("<!-- if open(seats) -->a<!-- else: b -->", "b"),
        ("- a\n- b <!-- only ante == 1 -->\n  - of b\n\n  too\n- c", "- a\n- c"),
        ("1. a <!-- only ante == 1 -->\n2. b\n3. c", "1. b\n2. c"),
        ("1. a <!-- only ante == 1 -->\n2. b\n\nc\n\n1. d\n<!-- if ante == 2: 2. e -->", "1. b\n\nc\n\n1. d\n2. e"),
        ("| a | <!-- only ante == 1 -->|\n| b <!-- only ante == 2 --> |", "| b |"),
        (
            "# A\n\n## B\n\nb\n\n| a |\n|---|\n| c | <!-- only ante == 1 -->\n\n## D\n\n| a |\n|---|\n| d |",
            "# A\n\n## D\n\n| a |\n|---|\n| d |",
        ),
        ("# A\n\n## B <!-- only ante == 1 -->\n\nb\n\n### C\n\nc\n\n## D\n\nd", "# A\n\n## D\n\nd"),
    ],
)
def test_marks(source: str, shown: str) -> None:
    assert render(source, VALUES) == shown


def test_what_depends_on_an_unknown_number_of_seats_stays_as_it_is() -> None:
    unknown = VALUES | {"seats": UNKNOWN}
    assert (
        render(
            "| 3 <!-- only seats == 3 --> |\n| 4 <!-- only seats == 4 --> |\n"
            "| 5 <!-- only seats == 5 and ante == 1 --> |",
            unknown,
        )
        == "| 3 |\n| 4 |"
    )
    assert (
        render(
            "<!-- = 40 // seats -->8 or 10<!-- end --> cards<!-- if seats > 2:  ({seats}) --><!-- if ante == 2: "
            "{seats} -->",
            unknown,
        )
        == "8 or 10 cards"
    )
    assert (
        render(
            "<!-- if seats == 3 -->a<!-- else: b --><!-- if open(seats) -->, <!-- end --><!-- if seats == 4 -->c<!-- "
            "end -->",
            unknown,
        )
        == "a, c"
    )


def test_the_whole_page_is_the_file_without_its_marks() -> None:
    assert whole("a<!-- if ante == 1 --> b<!-- else:  c -->\n| d <!-- only ante == 1 --> |") == "a b\n| d |"


@pytest.mark.parametrize(
    "source",
    [
        "<!-- if ante == -->a<!-- end -->",
        "<!-- if price == 1 -->a<!-- end -->",
        "<!-- if ante == 1 -->a",
        "a<!-- end -->",
        "<!-- note -->",
        "<!-- = ante.real -->1<!-- end -->",
        '<!-- = __import__("os") -->1<!-- end -->',
        "<!-- if rule > 1: a -->",
    ],
)
def test_a_mark_that_cannot_be_understood_is_a_fault(source: str) -> None:
    with pytest.raises(PageFault):
        render(source, VALUES)


# The pages


@cache
def rendered(name: str, preset: str) -> str:
    """The page of a preset, for any number of players."""
    return page_of(name, preset)


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_the_page_of_a_preset_is_whole_and_tells_its_values(name: str, preset: str) -> None:
    game = catalog.games()[name]
    page = rendered(name, preset)
    assert page.startswith(f"# {game.title}\n")
    assert "\n## How to play\n" in page
    assert faults(page) == []
    assert ids(page) <= ids(game.rulebook)
    assert all(page != rendered(name, other) for other in game.presets if other != preset)
    low, high = game.options.seat_range[preset]
    for seats in {low, high}:
        options = Ruleset.parse(game, preset, seats).options
        here = game.rules_here(preset, options, seats)
        assert faults(here) == []
        values = dict(re.findall(r"(?m)^\| `(\w+)` \| (.*?) \|", rulebook.section(here, "House rules")))
        assert values.keys() <= game.options.kinds().keys()
        assert {key: str(value) for key, value in options.as_dict().items() if key in values} == values
        assert faults(game.help_here(options, seats)) == []


@pytest.mark.parametrize("name", list(catalog.games()))
def test_each_house_rule_is_told_at_the_top_and_no_text_breaks(name: str) -> None:
    game = catalog.games()[name]
    preset = game.presets[0]
    ruleset = Ruleset.parse(game, preset)
    seats, plain = ruleset.seats, ruleset.options
    for option, kind in game.options.kinds().items():
        for value in (*kind.values[:4], *((kind.high,) if kind.high else ())):  # more are only seats by name
            try:
                options = Ruleset.parse(game, preset, house_rules={option: value}).options
            except OptionError:
                continue  # it needs other house rules too
            if options == plain:
                continue
            page = game.rules_here(preset, options, seats)
            assert (
                f"- `{option}`: **{rulebook.shown(getattr(options, option))}** instead of "
                f"{rulebook.shown(getattr(plain, option))} ({kind.text})" in page
            )
            assert faults(page) == []
            assert faults(game.help_here(options, seats)) == []


def test_rows_named_after_a_preset_stand_on_its_page_and_not_on_the_first() -> None:
    name = "michigan"
    game = catalog.games()[name]
    named = re.findall(r"(?m)^\| ([A-Z]+-\d+) \| `([\w-]+)`: ", game.rulebook)
    assert len(named) > 10
    for rule, preset in named:
        assert rule in ids(rendered(name, preset)), rule
        assert rule not in ids(rendered(name, game.presets[0])), rule


#: game, preset, house rules -> what the page must and must not say; a rule's ID stands for its row, question or example
SPOTS: list[tuple[str, str, dict[str, Any], list[str], list[str]]] = [
    (
        "michigan",
        "michigan",
        {},
        ["four **money cards**", "`AH KC QD JS`", "MI-14", "puts 1 chip on each"],
        ["MI-42", "MI-51", "MI-31", "Seven games", "Spin"],
    ),
    ("michigan", "michigan", {"dealer_stake": 2}, ["The dealer puts 2 chips on each."], ["MI-Q1"]),
    ("michigan", "michigan", {"auction": "none"}, ["MI-13"], ["MI-14", "auction this right"]),
    ("michigan", "cross-color", {}, ["a suit of the other colour", "MI-41", "MI-E5"], ["MI-E2"]),
    ("michigan", "sequence", {}, ["MI-42", "sequence 9H TH JH too"], ["MI-44"]),
    ("michigan", "jackpot", {}, ["MI-44", "into the jackpot too"], ["MI-42"]),
    (
        "michigan",
        "boodle",
        {},
        ["spreads four chips", "`AH KD QS JC`", "MI-52"],
        ["MI-13", "auction", "MI-E3", "MI-54"],
    ),
    ("michigan", "spinado", {}, ["Spin!", "MI-54", "| The holder of the ace of diamonds"], ["MI-57"]),
    (
        "michigan",
        "pope-joan",
        {},
        ["five **money cards**", "`9D5 KH4 QS3 JC2 TD1`", "MI-59", "doubles the chips"],
        ["auction", "AH KC QD JS from", "MI-13", "MI-50", "MI-54", "puts 1 chip on each"],
    ),
    ("michigan", "michigan", {"enforce": "penalise"}, ["MI-31", "Playing under penalty", "7. **Wrong play**"], []),
    (
        "fan-tan",
        "denexa",
        {},
        ["FT-16", "FT-42", "fewer cards than others 2 chips", "pay a chip to the pot"],
        ["FT-17", "FT-19", "FT-24", "FT-31", "FT-43", "FT-34"],
    ),
    ("fan-tan", "stops", {}, ["FT-17", "FT-43", "FT-10", "to the winner"], ["FT-16", "FT-18", "FT-11"]),
    ("fan-tan", "british", {}, ["FT-18", "FT-11", "FT-43"], ["FT-17", "FT-10"]),
    ("fan-tan", "ultimate", {}, ["FT-19", "FT-31", "FT-23", "that costs nothing"], ["FT-22", "FT-29", "FT-16"]),
    ("fan-tan", "stops", {"open_card": "7D"}, ["FT-C1", "The holder of the 7D has", "FT-E8"], ["FT-21"]),
    ("fan-tan", "british", {"enforce": "penalise"}, ["FT-34", "FT-38", "What an offence costs"], ["FT-36", "FT-39"]),
    (
        "fan-tan",
        "denexa",
        {"stakes": "none"},
        ["FT-09", "has won the most deals"],
        ["FT-16", "FT-42", "takes the pot. The deal"],
    ),
    ("five-or-nine", "five-or-nine", {"start_ranks": "5"}, ["The first card is a 5"], ["FN-02", "FN-05"]),
    (
        "domino-fan-tan",
        "domino-fan-tan",
        {"draw_chip": 0},
        ["take the top card of the stock"],
        ["pay 1 chip to the pot and take"],
    ),
    ("play-or-pay", "stops", {}, ["PP-07", "PP-12", "the lowest card cut"], ["PP-08", "PP-13"]),
    ("play-or-pay", "original", {}, ["PP-08", "PP-13", "the highest card cut"], ["PP-07", "PP-12", "PP-14"]),
    (
        "play-or-pay",
        "original",
        {"settlement": "cards_left"},
        ["PP-14", "PP-Q4"],
        ["PP-13", "chip into the pot, and all"],
    ),
    (
        "cassino",
        "cassino",
        {"target": "11", "raise_builds": "single"},
        ["First to 11 wins", "CA-E9", "**Raise**"],
        ["First to 21"],
    ),
    ("cassino", "cassino", {}, ["First to 21 wins"], ["**Raise**", "The owner's obligation"]),
    ("cassino", "classic", {}, ["First to 21 wins", "The owner's obligation"], ["**Raise**"]),
    (
        "scopa",
        "scopa",
        {"king_misdeal": "off", "counting": "full_deal"},
        ["a tie means another deal"],
        ["SC-07", "SC-Q9", "counting stops at once"],
    ),
    (
        "scopa",
        "scopa",
        {"re_bello": "on", "napola": "on", "primiera": "sevens"},
        ["SC-C2", "SC-C3", "SC-C4", "SC-E10", "SC-E11", "(*re bello*) scores a point", "most sevens"],
        ["SC-C1", "SC-Q13", "SC-E9", "wins the match, whatever"],
    ),
    ("scopa", "scopa", {}, ["SC-06", "SC-16", "Three cards each"], ["Rules people play", "SC-C1", "SC-C5"]),
    (
        "scopa",
        "asso-piglia-tutto",
        {"ace_on_empty": "own_pile"},
        ["SC-C7", "SC-C10", "SC-Q15", "An ace takes everything on the table.", "stays there (but see SC-C10)"],
        ["SC-C8", "SC-C9", "SC-C11", "SC-C5"],
    ),
    (
        "scopa",
        "escoba",
        {},
        ["SC-C12", "SC-C13", "SC-C14", "SC-C15", "SC-E13", "make 15 together with it", "First to 15 points"],
        ["SC-10", "SC-11", "SC-12", "SC-07", "SC-23", "SC-E1", "SC-C7", "best *primiera*"],
    ),
    ("scopa", "scopone", {}, ["SC-C5", "SC-07", "Nine cards each"], ["SC-06", "SC-16", "SC-E6", "stock", "SC-C6"]),
    (
        "scopa",
        "scopone-ten",
        {},
        ["SC-C6", "SC-Q14", "Ten cards each; the table is empty."],
        ["SC-06", "SC-07", "SC-C5", "stock"],
    ),
    ("busca", "busca", {"elimination": "yes"}, ["BU-C2", "BU-06", "BU-E6"], ["BU-08", "BU-E7"]),
    (
        "busca",
        "busca",
        {"limit": "21", "cappotto": "off"},
        ["somebody reaches 21", "passes 21"],
        ["BU-11", "reaches 31", "4. **Cappotto"],
    ),
    ("oh-hell", "oh-hell", {"dealer_rule": "off"}, ["All bid 0 to N."], ["greater than** N", "OH-09", "OH-E1"]),
    ("crazy-eights", "denexa", {}, ["8 cards each"], ["CE-10", "or a joker", "CE-Q12"]),
    ("crazy-eights", "denexa", {"jokers": "2", "hand_size": 5}, ["5 cards each", "CE-10", "4. **Jokers**"], []),
    (
        "i-doubt-it",
        "doubt",
        {"final_challenge": "forced", "start_rank": "any"},
        ["always turned up", "`name 5`"],
        ["DB-05"],
    ),
    ("spider", "one-suit", {}, ["All cards are spades."], ["whatever the suits", "SP-E2", "SP-C1"]),
    (
        "spider",
        "two-suits",
        {"deal_when_short": "any"},
        ["SP-C1", "SP-E9", "empty ones too", "turn up cards by way of the gaps"],
        ["SP-12", "SP-E5", "but only while", "fill a gap only"],
    ),
    (
        "spider",
        "four-suits",
        {"face_down": "no"},
        ["SP-C2", "all face up", "free cards that others cover", "the stock is then as it was"],
        ["SP-09", "SP-C1", "turn up hidden", "**Turn up.**", "▒5"],
    ),
    (
        "michigan",
        "michigan",
        {"kitty": 2},
        ["MI-C1", "MI-C2", "MI-E11", "puts 2 chips into the kitty"],
        ["MI-C3", "MI-E12", "The holder of the lowest diamond that"],
    ),
    (
        "michigan",
        "boodle",
        {"first_lead": "low_diamond"},
        ["MI-C3", "MI-E12", "The holder of the lowest diamond"],
        ["MI-C1", "MI-Q4", "takes the kitty"],
    ),
    ("pirate", "pirate", {}, ["160 ticks"], ["PIL-1", "tie_window_ms"]),
    ("pirate", "pirate", {"form": "live"}, ["PIL-1", "120 seconds"], ["160 ticks"]),
    ("thirty-one", "thirty-one", {"stake": "banknote"}, ["TO-04", "folds a corner"], ["TO-05"]),
]


@pytest.mark.parametrize(("name", "preset", "house", "said", "unsaid"), SPOTS)
def test_pages_tell_what_applies_and_nothing_else(
    name: str, preset: str, house: dict[str, Any], said: list[str], unsaid: list[str]
) -> None:
    page = page_of(name, preset, Ruleset.parse(name, preset).seats, **house)
    named = ids(page)
    for text in said:
        assert text in (named if re.fullmatch(r"[A-Z]{2,3}-[QESC]?\d+", text) else page), text
    for text in unsaid:
        assert text not in (named if re.fullmatch(r"[A-Z]{2,3}-[QESC]?\d+", text) else page), text


def test_only_the_seats_at_hand() -> None:
    page = page_of("michigan", "michigan", 5)
    assert "| 5 | 9 | 9 9 9 8 8 |" in page
    assert "| 4 | 11 |" not in page
    assert "| 4 | 11 |" in page_of("michigan", "michigan")
    assert "13 each to three players. The dealer takes the last card too" in page_of("busca", None, 3)
    assert "lays one of their fourteen aside" not in page_of("busca", None, 4)


# The help at the terminal's table

#: what lies on the table in the examples of games whose moves name its cards
BOARDS = {
    "scopa": {"board": "7H 6D 4C", "hands": ["7C KS QC", "2D 3D 5C"], "unlisted": "dead"},
    "cassino": {"board": "5S 4D 5D 8H", "hands": ["9C 2H 8C KC", "2D 3D 5C 6C"], "unlisted": "dead"},
}


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_every_game_has_help_whose_example_moves_can_be_typed(name: str, preset: str) -> None:
    game = catalog.games()[name]
    houses: list[dict[str, Any]] = [
        {},
        {"enforce": "penalise"},
        {"form": "live"},
        {"start_rank": "any"},
        {"starter_wild": "dealer_names", "jokers": "2"},
    ]
    for house in houses:
        if house.keys() <= game.options.kinds().keys():
            m = Match(name, rules=preset, seed=1, **house)
            if name in BOARDS:
                keys = BOARDS[name] | (FOUR if m.seats == 4 else {})
                m = Match.from_position({"game": name, "rules": preset, "turn": 0, **keys})
            page = game.help_here(m.options, m.seats)
            about, moves, marks = re.split(r"\n### .*\n", page)
            assert 80 < len(about) < 420
            assert len(re.findall(r"(?m)^- ", marks)) >= 2
            examples = table_help.examples(m)
            assert examples, moves
            for example in examples:
                text = example if " " not in example or name not in ("fan-tan", "five-or-nine", "i-doubt-it") else None
                for step in [text] if text else _steps(example):
                    with suppress(AmbiguousMove):  # a card alone
                        game.presentation.parse_move(m._s, step)  # raises NotationError if it is none


#: the same for four
FOUR = {"hands": ["7C KS QC", "2D 3D 5C", "2S 3S 4S", "2H 3H 5H"], "dealer": 1}


def _steps(example: str) -> list[str]:
    """A move of several steps, as the table takes it apart."""
    return [example] if example.startswith("name ") else example.split()


@pytest.mark.parametrize(
    ("game", "preset"), [pytest.param(game, preset, id=f"{game.name}-{preset}") for game, preset in golden.deals()]
)
def test_the_golden_deal_is_told_as_it_was(game: Game, preset: str) -> None:
    """A missing one fails; one that differs shows where (python -m tests.support.games.golden writes them again)."""
    file = golden.path(game, preset)
    assert file.exists(), f"no golden deal of {game.name} {preset}: run python -m tests.support.games.golden"
    assert golden.told(game, preset).splitlines() == file.read_text("utf-8").splitlines()


def test_no_golden_deal_is_left_over() -> None:
    """Every file belongs to a preset that there is."""
    assert {file.name for file in golden.HOME.iterdir()} == {
        golden.path(game, preset).name for game, preset in golden.deals()
    }
