"""The table as drawn and the messages: words, zones, games of other shapes."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.text import Text

from cardtable import Match, Record
from cardtable.base.cards import card_text
from cardtable.base.message import Card, Message, Seat
from cardtable.bots import bot
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.choices import Choices, barred, meanings
from cardtable.cli.terminal.session import Session
from cardtable.kernel import Switch
from cardtable.rules import catalog
from cardtable.rules.game import Outlook
from cardtable.rules.moves import PASS, Move, bid
from cardtable.rules.timing import RealTime
from cardtable.rules.zones import ACE_HIGH, BY_RANK, Column, Fact, Hand, HandOrder, Pile, Row, Stock, Trick, Zone
from tests.support.commands import ROOT, here, surroundings
from tests.support.effort import cases
from tests.support.programs import needs
from tests.support.terminal import NAMES, POSITION, at, screen, sentences

# Words


def test_what_counts_most_stands_out() -> None:
    page, _ = screen(names=NAMES)
    facts = (Fact(Message("1 trick, bid 2"), figure=(1, 2)), Fact(Message("score 5")))
    told = page._facts(Pile("tricks-0", (0,), facts=facts, won=True), 0)
    assert [(fact.plain, bool(fact.spans)) for fact in told] == [("1 trick, bid 2", True), ("score 5", False)]


def test_names_go_round_the_table_from_you() -> None:
    assert tell.names_for(4, 0) == ["You", "Ann", "Ben", "Cleo"]
    assert tell.names_for(4, 2) == ["Ben", "Cleo", "You", "Ann"]
    assert tell.names_for(3, None) == ["Ann", "Ben", "Cleo"]
    assert len(set(tell.names_for(8, 7))) == 8


@pytest.mark.parametrize(
    ("zone", "line"),
    [
        (Trick("trick", facts=(Fact(Message("{seat} {seat:leads|lead}", seat=Seat(3))),)), " trick: Cleo leads"),
        (Trick("trick", facts=(Fact(Message("{seat} {seat:leads|lead}", seat=Seat(0))),)), " trick: you lead"),
        (Trick("trick"), " trick: empty"),
        (Pile("pile-0", (0, 2), ("7H", "8H"), 2, won=True), " pile (you and Ben): 7♥ 8♥"),
        (
            Pile(
                "sum-9", (), ("4H", "5C"), 2, (Fact(Message("built by {seat}", seat=Seat(1))),), label=Message("build")
            ),
            " build: 4♥ 5♣   built by Ann",
        ),
    ],
)
def test_the_players_names_stand_in_what_is_told_of_a_zone(zone: Zone, line: str) -> None:
    page, written = screen(names=NAMES)
    page._cards(zone, 0)
    assert written() == line + "\n"


def test_equal_payments_are_told_once_and_costs_stand_with_their_act() -> None:
    m = Match("fan-tan", 4, "denexa", seed=5, dealer=3, auto=False)
    opening = sentences(m.events, NAMES)
    assert opening[0] == "Deal 1: Cleo deals"
    assert opening[1].startswith("You, Ann, Ben and Cleo pay 1 chip each to the pot as ante")
    assert opening[1].endswith("(FT-16)")
    assert len(opening) == 2
    m = Match.from_position(
        POSITION.replace('"9S JS QS"', '"TC JC QC"')
        .replace("turn = 0", "turn = 1")
        .replace('lacks = ["", "8S", "", ""]', "")
    )
    m.play("pass")
    assert sentences(m.events, NAMES)[0] == "Ann passes and pays 1 chip to the pot for passing (FT-22)"
    m = Match.from_position(
        POSITION.replace('"8S 5H KC"', '"9S KC"')
        .replace('"9S JS QS"', '"8S QS"')
        .replace('lacks = ["", "8S", "", ""]', "")
    )
    m.play("pass")
    assert sentences(m.events, NAMES)[0] == "You pass and pay 1 chip to the pot for passing (FT-22)"


def test_what_is_told_to_you_is_in_the_second_person() -> None:
    m = Match.from_position(POSITION.replace('"8S 5H KC"', '"8S"').replace("denexa", "british"))
    m.play("8S")
    lines = sentences(m.events, NAMES)
    assert lines[0] == "You lay 8S"
    assert "You win the deal (FT-41)" in lines
    assert any(re.fullmatch(r"Ann pays 3 chips to you for the cards left \(FT-43\)", line) for line in lines)


@pytest.mark.parametrize("name", list(catalog.games()))
def test_every_event_of_every_game_reads_well(name: str) -> None:
    """No stand-ins, no 'You passes', no 'seat 2'."""
    m = Match(name, seed="words")
    names = tell.names_for(m.seats, 0)
    for _ in range(80):
        if m.over:
            break
        m.play(m.legal(m.actors[0])[0], m.actors[0])
        for line in sentences([event.seen_by(0) for event in m.events], names):
            assert line[0].isupper() or line[0].isdigit()  # 8S is turned up
            assert not re.search(
                r"\x01|\bseat \d|[a-z] You\b|\bYou (passes|lays|pays|takes|draws|is|has|wins|deals)\b", line
            ), line


# The table


def test_the_table_is_drawn_from_zones() -> None:
    m = Match.from_position(POSITION)
    page, written = screen()
    page.aids = True
    page.table(m, m.view(0))
    page.moves(Choices.of(m.view(0)))
    lines = written().splitlines()
    assert lines[1].strip("─ ") == "Fan Tan · deal 1 of 4 · dealer: Cleo"
    assert lines[2] == "      A   2   3   4   5   6   7   8   9  10   J   Q   K"
    # as a hand is sorted, whatever the house calls left (FT-27)
    assert lines[3] == " ♠    ·   ·   ·   ·   ·  6♠  7♠   ·   ·   ·   ·   ·   ·"
    assert lines[4].startswith(" ♥    ·   ·   ·   ·   ·  6♥  7♥  8♥   ·")
    assert lines[6].split() == ["♣", *"······7······"]  # a row that is not open shows the card that opens it
    assert lines[7] == " pot: 9 chips"
    assert lines[8] == "   Ann    3 cards · 21 chips · (help: has no 8♠)"
    assert lines[9] == "   Ben    2 cards · owes 3 chips"
    assert lines[10] == "   Cleo   2 cards · 1 chip"
    assert lines[11] == " ▸ You   20 chips"
    assert lines[12] == "   ▴8♠   ▴5♥    K♣"
    assert lines[13] == "  1 8♠   2 5♥"


@pytest.mark.parametrize("preset", ["denexa", "stops", "british", "ultimate"])
def test_rows_run_from_ace_to_king_in_every_preset(preset: str) -> None:
    m = Match.from_position(POSITION.replace('"denexa"', f'"{preset}"'))
    page, written = screen()
    page.table(m, m.view(0))
    heading, spades = written().splitlines()[2:4]
    assert heading.split() == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    assert spades.index("6♠") < spades.index("7♠")
    assert spades.index("7♠") + 1 == heading.index("7")  # below its heading


@pytest.mark.parametrize("name", list(catalog.games()))
@pytest.mark.parametrize("width", cases([60, 120]))
def test_any_game_fits_the_terminal(name: str, width: int) -> None:
    game = catalog.find(name)
    for seats in sorted({*game.options.seat_range[game.presets[0]]}):
        m = Match(name, seats, seed=f"width {seats}")
        page, written = screen(width, names=tell.names_for(seats, m.actors[0]))
        for _ in range(12):
            if m.over:
                break
            seat = m.actors[0]
            page.table(m, m.view(seat))
            page.moves(Choices([replace(move, does=None) for move in m.view(seat).choices]))
            m.play(m.legal(seat)[-1], seat)
            page.events(m.events)
        for line in written().splitlines():
            assert len(line) <= width, line
            assert "seat " not in line
            assert line == line.rstrip()


def test_a_spectator_sees_no_hand() -> None:
    m = Match("fan-tan", 4, seed="spectator")
    page, written = screen(names=tell.names_for(4, None))
    page.table(m, m.view(None))
    assert "You" not in written()
    assert written().count("13 cards") + written().count("12 cards") == 4


def test_suits_in_colour() -> None:
    def colours(number: int, **how: Any) -> set[str]:
        page, written = screen(colours=number, force_terminal=True, color_system="standard", **how)
        page.say("7S 7H 7D 7C")
        return set(re.findall(r"\x1b\[(\d+)m", written())) - {"0"}

    assert colours(4) == {"39", "31", "94", "32"}
    assert colours(2) == {"39", "31"}
    assert colours(4, no_color=True) == set()


def test_a_terminal_without_such_letters_gets_plain_ones() -> None:
    m = Match.from_position(POSITION)
    page, written = screen(encoding="ascii")
    page.table(m, m.view(0))
    assert "^8S" in written()
    assert "> You" in written()
    assert "?" not in written()


TAKING = [Move(f"{rank}S takes 2H", cards=(f"{rank}S", "2H")) for rank in "A23456789TJQK"]


def test_many_moves_standin_columns() -> None:
    page, written = screen(40)
    page.moves(Choices(TAKING))
    lines = written().splitlines()
    assert len(lines) == 7
    assert lines[0] == "  1 A♠ takes 2♥     8 8♠ takes 2♥"
    assert all(len(line) <= 40 for line in lines)


def test_more_moves_than_there_is_room_for() -> None:
    page, written = screen(40)
    choices = Choices(TAKING)
    page.moves(choices, room=3)
    lines = written().splitlines()
    assert lines == [
        "  1 A♠ takes 2♥     3 3♠ takes 2♥",
        "  2 2♠ takes 2♥     4 4♠ takes 2♥",
        "  and 9 moves more: m lists all",
    ]
    page.every_move(choices)
    assert written().count("takes") == 4 + 13


def bidding(n: int) -> Move:
    return bid(n, Message("bid {n}", n=n))


def test_bids_are_one_line() -> None:
    page, written = screen(60)
    michigan = Choices([PASS, *map(bidding, range(1, 47))])
    page.moves(michigan)
    assert written().splitlines() == ["  1 pass", "  bid 1–46 (write for instance: bid 6)"]
    assert (michigan.move("1"), michigan.move("5")) == ("pass", None)  # 5 is no bid of 4
    assert str(michigan.why_no("5")) == "There is no move 5: the only choice is 1, or write for instance bid 1."
    assert len(list(michigan.all())) == 47


def test_where_only_bids_can_be_made_a_number_is_a_bid() -> None:
    page, written = screen(60)
    oh_hell = Choices([*map(bidding, (0, 1, 2, 4, 5))])
    page.moves(oh_hell)
    assert written() == "  bid 0–2, 4–5 (write the number)\n"
    # the game says why not 3
    assert [oh_hell.move(number) for number in ("0", "1", "3")] == [
        "bid 0",
        "bid 1",
        "bid 3",
    ]


def test_stakes_are_explained_in_a_line() -> None:
    m = Match("michigan", 4, "boodle", seed="tea", auto=False)
    view = m.view(m.actors[0])
    (how,) = [fact.message for zone in view.zones if zone.kind == "action" for fact in zone.facts]
    assert str(how) == "share 4 chips among AH KD QS JC, at most 4 on a card; stake 2 0 0 2 says how many go on each"
    choices = Choices.of(view)
    page, written = screen(60)
    page.moves(choices, how)
    assert len(written().splitlines()) == 3
    assert written().startswith("  1–35 stake: share 4 chips among A♥ K♦ Q♠ J♣")
    assert choices.move("35") == view.legal[34]
    m.play("stake 2 0 0 2", m.actors[0])  # as it is explained
    assert m.moves[-1].move == "stake AH2 JC2"
    assert sentences(m.events, NAMES)[0].endswith("puts 2 chips on AH and 2 chips on JC (MI-51)")


def test_moves_of_spider_show_their_cards() -> None:
    m = Match("spider", seed="tea")
    view = m.view(0)
    page, written = screen(60)
    page.moves(Choices.of(view))
    assert "1 1-9 5♥ → 6♣" in written()
    choices = Match("scopa", seed="tea").view(0).choices
    assert not meanings([replace(choice, does=None) for choice in choices])  # its notation names the cards


def test_choices_are_no_dim_text() -> None:
    page, written = screen(force_terminal=True, color_system="standard")
    page.moves(Choices([Move("7S takes 5D 2C", cards=("7S", "5D", "2C")), PASS]))
    page.rule(Message("a title"))
    for part in re.findall(r"\x1b\[([\d;]*)m([^\x1b]*)", written()):
        assert "2" not in part[0].split(";") or not part[1].strip("─ "), part


def test_partners_win_a_deal_together() -> None:
    m, player = Match("scopa", 4, seed=3), bot("medium", 1)
    while not m.results:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    assert m.results[0].winner is not None
    page, written = screen(names=["You", "Ann", "Ben", "Cleo"])
    page.sheet(m, m.results[0], m.view(0))
    both = ("You and Ben win", "Ann and Cleo win")[m.results[0].winner]
    assert f"{both} deal 1" in written()


def test_the_sheet_and_the_summary() -> None:
    m = Match.from_position(
        POSITION.replace('"8S 5H KC"', '"8S"').replace("denexa", "british").replace("pot = 9", "pot = 9\ndeal = 4")
    )
    m.play("8S")
    page, written = screen()
    page.sheet(m, m.results[-1], m.view(0))
    page.summary(m)
    text = written()
    assert "You win deal 4" in text
    assert re.search(r"\n +this deal +chips +cards left\n", text)
    assert re.search(r"Ann +-3 +18 +9♠ J♠ Q♠\n", text)
    assert re.search(r"You +\+16 +36\n", text)
    assert re.search(r"Ben +-\d +-\d", text)
    assert "Below 0: more chips were paid than the player had. They are owed" in text
    assert text.index("★ You") < text.index("Ann  ", text.index("★ You"))


# Games of other shapes


def test_columns_stand_side_by_side() -> None:
    page, written = screen()
    columns = [
        Column(f"column-{i}", (), (None,) * (i % 3) + (("KH", "QH") if i < 9 else ("2S",)) * (i != 4), 5)
        for i in range(1, 11)
    ]
    page._columns(columns, {("column-1", "KH")})
    assert written().splitlines() == [
        "      1      2      3      4      5      6      7      8      9     10",
        "     ▒1     ▒2            ▒1     ▒2            ▒1     ▒2            ▒1",
        "     K♥     K♥     K♥            K♥     K♥     K♥     K♥     2♠     2♠",
        "     Q♥     Q♥     Q♥            Q♥     Q♥     Q♥     Q♥",
    ]


def test_a_large_hand_is_broken_into_lines() -> None:
    page, written = screen(40)
    page._hand(
        [Hand("hand-0", (0,), tuple(rank + suit for suit in "SH" for rank in "A23456789TJQK"), 26)], {("hand-0", "2S")}
    )
    lines = written().splitlines()
    assert max(map(len, lines)) <= 40
    assert " ".join(lines).split()[:3] == ["A♠", "▴2♠", "3♠"]
    assert len(" ".join(lines).split()) == 26


@pytest.mark.parametrize(
    ("order", "line"),
    [(ACE_HIGH, "K♠ ▴A♠    2♥  A♥    2♣"), (BY_RANK, "▴A♠  A♥    2♥  2♣    K♠")],
)
def test_a_hand_is_shown_in_the_order_of_its_game(order: HandOrder, line: str) -> None:
    page, written = screen()
    page._hand([Hand("hand-0", (0,), ("AS", "KS", "AH", "2H", "2C"), 5, order=order)], {("hand-0", "AS")})
    assert written().strip() == line


def test_of_a_long_pile_only_the_end_is_shown() -> None:
    page, written = screen()
    page._cards(Pile("discards", (), tuple(rank + "S" for rank in "A23456789TJ"), 11, label=Message("discards")), None)
    assert written() == " discards: … 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ 10♠ J♠ (11 cards)\n"


def eights(hands: str, discards: str, **keys: Any) -> Match:
    """Crazy Eights at a position; of each seat after the first only the number of cards matters."""
    return Match.from_position(
        {"game": "crazy-eights", "hands": hands.split(", "), "discards": discards, "turn": 0, **keys},
        seed=3,
        auto=False,
    )


def discards(m: Match, seat: int = 0) -> list[str]:
    page, written = screen(names=tell.names_for(m.seats, seat))
    page.table(m, m.view(seat))
    lines: list[str] = written().splitlines()
    first, last = (
        next(i for i, line in enumerate(lines) if line.startswith(start)) for start in (" discards:", " stock:")
    )
    return lines[first:last]


def test_the_suit_that_was_named_is_shown() -> None:
    """As long as it must be followed: the eight on top shows another."""
    m = eights("8D QS, 9C QH, 2C 3H", "KD")
    assert discards(m) == [" discards: K♦"]
    m.play("8D clubs")
    assert [discards(m, seat) for seat in range(3)] == [[" discards: K♦ 8♦   next: clubs or an eight"]] * 3
    m.play("draw")
    assert discards(m) == [" discards: K♦ 8♦   next: clubs or an eight"]
    m.play("9C")
    assert discards(m) == [" discards: K♦ 8♦ 9♣"]
    m = eights("X1 4H, *4", "3C 4C 5C 6C 7C 9C TC JC QC 8H", named="clubs", options={"jokers": 1})
    assert discards(m) == [" discards: … 5♣ 6♣ 7♣ 9♣ 10♣ J♣ Q♣ 8♥ (10 cards)   next: clubs, an eight or a", "   joker"]


def test_what_a_wild_starter_asks_for_is_shown() -> None:
    pack = [
        "2S",
        "2H",
        "3S",
        "3H",
        "8C",
        *(card for card in map(card_text, range(52)) if card not in ("2S", "2H", "3S", "3H", "8C")),
    ]
    m = Match.from_pack(" ".join(pack), "crazy-eights", 2, auto=False, hand_size=2, starter_wild="free")
    assert discards(m) == [" discards: 8♣   anything goes"]
    m = Match.from_pack(" ".join(pack), "crazy-eights", 2, auto=False, hand_size=2, starter_wild="dealer_names")
    assert discards(m) == [" discards: 8♣   Ann names a suit"]
    assert discards(m, 1) == [" discards: 8♣   you name a suit"]
    m.play("spades")
    assert discards(m) == [" discards: 8♣   next: spades or an eight"]


def test_what_lies_before_another_seat_is_told_on_its_line() -> None:
    page, written = screen(names=["You", "Ann"])
    m = Match("domino-fan-tan", seed=1)
    view = m.view(0)
    view.__dict__["zones"] = [
        Stock("stock-1", (1,), (None,) * 9, 9),
        Pile("waste-1", (1,), (None, None, "7H"), 3, label=Message("waste")),
        Row("row-H", (), ("AH", *[None] * 12), 1, (Fact(Message("{seat} from the ace", seat=Seat(1))),), suit="H"),
    ]
    page.table(m, view)
    assert " ▸ Ann  stock: 9 cards · waste: 7♥ (3 cards)\n" in written()
    assert " ♥   A♥   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   Ann from the ace\n" in written()


def ticking(m: Match) -> tuple[Session, Any]:
    """A table of Fan Tan in which a pass is a tick that goes by."""
    m.game = replace(m.game)
    m.ruleset = replace(m.ruleset, game=m.game)
    vars(m.game)["timing"] = RealTime(
        {"enforce": "penalise"},
        "pass",
        {},
        "",
        lambda options: 0,
        lambda s, at, tell: pytest.fail("no clock runs here"),
    )
    return at(m)


def test_in_pirate_enter_waits() -> None:
    m = Match("pirate", seed=1)
    table, written = at(m)
    assert table.answer("", m.view(0))
    assert m.moves[0].move == "wait"
    table.answer("?", m.view(1))
    assert "Enter           wait; with --speed 2" in written()


def test_waiting_is_a_move() -> None:
    m = Match.from_position(
        POSITION.replace('"8S 5H KC"', '"9S KC"')
        .replace('"9S JS QS"', '"8S QS"')
        .replace('lacks = ["", "8S", "", ""]', "")
    )
    table, written = ticking(m)
    table.answer("?", m.view(0))
    assert "Enter           pass; with --speed 2" in written()
    assert table.answer("", m.view(0))
    assert m.moves[0].move == "pass"


@pytest.mark.parametrize(("key", "move"), [("", "pass"), ("P", "pass"), ("x", None), ("?", None)])
def test_a_tick_goes_by_unless_a_key_is_pressed(key: str, move: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable.cli.terminal import keys

    monkeypatch.setattr(keys, "key_within", lambda seconds, prompt: key)
    m = Match.from_position(
        POSITION.replace('"8S 5H KC"', '"9S KC"')
        .replace('"9S JS QS"', '"8S QS"')
        .replace('lacks = ["", "8S", "", ""]', "")
    )
    table, _ = ticking(m)
    table.ticking = True
    assert table._tick(m.view(0)) == (move is not None)
    assert [act.move for act in m.moves[:1]] == [move] * (move is not None)


def test_keys_are_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable.cli.terminal.keys import key_within

    master, slave = pty.openpty()
    with os.fdopen(slave, "r") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        os.write(master, b"d")
        assert key_within(5.0, "") == "d"
        assert key_within(0.01, "") == ""
        os.write(master, b"\x04")
        with pytest.raises(EOFError):
            key_within(5.0, "")
    os.close(master)


def test_anything_useful_left(monkeypatch: pytest.MonkeyPatch) -> None:
    m = Match.from_position(POSITION)
    table, written = at(m)
    assert not table.answer("a", m.view(0))
    assert "'a' is not a move" in written()
    monkeypatch.setattr(
        m.game.presentation,
        "outlook",
        lambda state, seat: Outlook(None, Message("not known for seat {seat}", seat=seat)),
        raising=False,
    )
    assert not table.answer("a", m.view(0))
    assert not table.answer("?", m.view(0))
    assert "not known for seat 0" in written()
    assert "is anything useful left?" in written()


def test_several_moves_are_taken_back_at_once() -> None:
    m = Match("fan-tan", 4, seed=5, dealer=3)
    table, written = at(m)
    while not (m.actors == (0,) and sum(act.seat == 0 and not act.forced for act in m.moves) == 3):
        table.play(m.legal()[0]) if m.actors == (0,) else table._bot(m.actors[0])
    for text in ("u 4", "u 0", "u x", "u -1", "u ³"):
        assert not table.answer(text, m.view(0))
        assert "you have made 3 moves" in written()
    assert table.answer("u 3", m.view(0))
    assert "Taken back: " in written()
    assert not [act for act in m.moves if act.seat == 0 and not act.forced]


def test_giving_up_ends_the_match() -> None:
    done = here("play", "fan-tan", "--bot", "medium", "--seed", "7", given="1\nresign\n")
    assert "You give up the match." in done.stdout
    assert "The match is over" in done.stdout
    assert "deal 1 is" not in done.stdout.lower()


def test_a_game_for_one_can_be_taken_back_at_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    m = Match("fan-tan", 3, "british", seed="replay", deals=1)
    table, _ = at(m)
    while not m.over:
        table.play(m.legal()[0]) if m.actors == (0,) else table._bot(m.actors[0])
    assert not table._once_more()
    m.seats, table.face.live = 1, True
    monkeypatch.setattr(table.face, "line", lambda prompt: "u")
    assert table._once_more()
    assert not m.over


def test_why_the_stock_is_not_dealt_is_told_while_a_column_is_empty() -> None:
    m = Match("spider", rules="one-suit", seed="keys", move_cap=160)
    player = bot("medium", seed=0)
    while not any("put a card there first" in str(one.why) for one in m.view(0).refused):
        m.play(player.choose(m.view(0)))
    (told,) = [str(line) for line in barred(m.view(0).refused) if "is empty" in str(line)]
    assert re.search(r"^Not allowed: deal, because column \d+ is empty: stock is dealt only when no column is ", told)


def test_the_sheet_tells_points_where_the_lowest_wins() -> None:
    m = Match("busca", seed="sheet", pause=True)
    while not m.results:
        m.play(m.legal(m.actors[0])[0], m.actors[0])
    page, written = screen()
    page.sheet(m, m.results[-1], m.view(0))
    for name, score in zip(NAMES, m.scores, strict=True):
        assert re.search(rf"{name} +{f'[+]{score}' if score else 0} +{score}\n", written())


@needs("bash")
@pytest.mark.parametrize("lines", [1, 30])
def test_a_reader_that_leaves_mid_match_loses_nothing(lines: int, tmp_path: Path) -> None:
    """Also before the first move. Processes, as it is a pipe that ends."""
    record = tmp_path / "m.toml"
    command = (
        f"yes 1 | '{sys.executable}' -m cardtable play fan-tan --bot medium --record '{record}' | head -n {lines} "
        f">/dev/null; echo ${{PIPESTATUS[1]}}"
    )
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=120
    )
    assert done.stderr == ""
    Record.load(record).replay()


@pytest.mark.parametrize("space", ["\u00a0", "\u202f"])
def test_a_line_is_not_broken_at_a_no_break_space(space: str) -> None:
    lines = screen()[0].broken(Text(f"Vous devez piocher{space}; les huit aussi"), 19)
    assert [line.plain.rstrip() for line in lines] == ["Vous devez", f"piocher{space}; les huit", "aussi"]


def test_cards_have_the_faces_of_their_country(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Switch, "plain", True)
    m = Match("Escoba", 2, seed=1, dealer=1)
    session, _ = at(m)
    session.faces = m.ruleset.faces()
    page, written = screen(names=NAMES[:2], faces=session.faces)
    page.table(m, m.view(0))
    page.say(Message("{card} of {suit}", card=Card("QC"), suit=Message("diamonds")))
    hand = [session.faces.written(card) for card in m.view(0).hand]
    assert all(card[-1] in "ECOB" for card in hand)
    for card in [*hand, "11B of coins"]:
        assert card in written()
    assert not set("♠♥♦♣") & set(written())
    move = next(move for move in m.view(0).legal if move.split()[0] == m.view(0).hand[0])
    assert session.answer(move.replace(m.view(0).hand[0], hand[0].lower()), m.view(0))
    assert m.moves[-1].move == move or m.moves[-2].move == move
