"""Match: it checks, explains, makes forced moves, takes back; every bad input has its error and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from cardtable import (
    CardtableError,
    IllegalMove,
    Match,
    MatchOver,
    NotationError,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    PositionError,
    UnknownGame,
    find,
)
from cardtable.rules.catalog import games
from tests.support.games.tables import sit

PACK = " ".join(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")


def everything(m: Match) -> tuple[Any, ...]:
    """All that a refused call must leave as it was."""
    return m._s.tobytes(), m.moves, m.events, m.results, m.result, m.actors, str(m.record())


def refused(m: Match, kind: type[CardtableError], code: str, call: Callable[[], object]) -> CardtableError:
    """The call raises this error, with all three parts, and changes nothing."""
    before = everything(m)
    with pytest.raises(kind) as caught:
        call()
    assert type(caught.value) is kind
    assert caught.value.code == code
    assert all(caught.value.as_dict().values()), caught.value.as_dict()
    assert everything(m) == before
    return caught.value


# Making a match


@pytest.mark.parametrize(
    ("call", "kind", "code", "words"),
    [
        ({"game": "fan-tna"}, UnknownGame, "game/unknown", "did you mean fan-tan"),
        ({"game": "tic"}, UnknownGame, "game/unknown", "there are"),
        ({"rules": "britsh"}, OptionError, "options/preset", "did you mean british"),
        ({"antes": 2}, OptionError, "options/unknown", "did you mean ante"),
        ({"settle": "bank"}, OptionError, "options/value", "pot / direct"),
        ({"ante": "two"}, OptionError, "options/value", "0 to 1000"),
        ({"ante": -1}, OptionError, "options/range", "0 to 1000"),
        ({"ante": 1001}, OptionError, "options/range", "0 to 1000"),
        ({"stack": (1, 2)}, OptionError, "options/combination", "2 stacks for 4 seats"),
        ({"stakes": "none", "enforce": "penalise"}, OptionError, "options/combination", "a fine needs chips"),
        ({"first_dealer": "seat 4"}, OptionError, "options/range", "0 to 3"),
        ({"seats": 13}, OptionError, "options/seats", "2 to 12"),
        ({"seats": 1}, OptionError, "options/seats", "2 to 12"),
        ({"seats": True}, OptionError, "options/seats", "2 to 12"),
        ({"seats": "4"}, OptionError, "options/seats", "2 to 12"),
        ({"dealer": 4}, OptionError, "options/range", "0 to 3"),
        ({"dealer": -1}, OptionError, "options/range", "0 to 3"),
        ({"seed": ""}, NotationError, "move/syntax", "seed"),
        ({"seed": "x" * 201}, NotationError, "move/syntax", "200"),
        ({"seed": "a\udcff"}, NotationError, "move/syntax", "a number or a word"),
    ],
)
def test_bad_house_rules(call: dict[str, Any], kind: type[CardtableError], code: str, words: str) -> None:
    """Unknown game, preset, option; values, ranges, combinations, seats: what, why, what one can do."""
    with pytest.raises(kind) as caught:
        Match(**({"game": "fan-tan"} | call))
    assert caught.value.code == code
    assert all(caught.value.as_dict().values())
    assert words.lower() in str(caught.value).lower()
    assert caught.value.exit_code == 2


def test_names_of_games() -> None:
    """Names and aliases; case, blanks, underscores do not matter."""
    assert {find(name).name for name in ("fan-tan", "Fan Tan", "FAN_TAN", "sevens", "Parliament")} == {"fan-tan"}
    assert list(games()) == sorted(games())


def test_a_seed_decides_everything() -> None:
    """The same seed, the same match; no seed: one is drawn and kept."""
    a, b = Match("fan-tan", seed="word"), Match("fan-tan", seed="word")
    assert everything(a) == everything(b)
    c, d = Match("fan-tan"), Match("fan-tan")
    assert c.seed != d.seed
    assert Match("fan-tan", seed=c.seed).position().text == c.position().text


@pytest.mark.parametrize(
    ("pack", "kind", "words"),
    [
        (PACK[3:], PositionError, "it lacks AS"),
        (PACK + " X1", PositionError, "too many: X1"),
        ("", PositionError, "it lacks AS 2S"),
        ("AS " + PACK[:-3], NotationError, "stands twice"),
    ],
)
def test_a_pack_that_is_not_whole(pack: str, kind: type[CardtableError], words: str) -> None:
    """from_pack wants all cards of the game, once."""
    with pytest.raises(kind, match=words):
        Match.from_pack(pack, "fan-tan")


# Playing


def test_refusals_change_nothing() -> None:
    """Malformed, out of turn, illegal, of no seat: each has its class and code, and nothing moves."""
    m = sit("fan-tan", "denexa", ["8S 2H", "6S 9S 3H", "TS 4H"], "S 7")
    for text in ("", "8X", "eight", "7H7H", "\x00", "pass!", "8S please"):
        refused(m, NotationError, "move/syntax", lambda text=text: m.play(text))  # type: ignore[misc]
    refused(m, NotationError, "move/syntax", lambda: m.play(7))  # type: ignore[arg-type]
    error = refused(m, NotYourTurn, "move/turn", lambda: m.play("6S", 1))
    assert isinstance(error, NotYourTurn)
    assert (error.seat, error.actors) == (1, (0,))
    illegal = refused(m, IllegalMove, "move/illegal", lambda: m.play("2H"))
    assert isinstance(illegal, IllegalMove)
    assert (illegal.seat, illegal.move, illegal.rule, illegal.legal) == (0, "2H", "FT-25", ("8S",))
    assert illegal.as_dict()["rule"] == "FT-25"
    begin = "seat 0 may not play 2H: the hearts row is not open: it begins with its 7 (FT-25)"
    assert str(m.why_not("2H")) == str(illegal) == f"{begin}. You may: 8S"
    assert m.why_not("8S") is None
    for seat in (3, -1, True, "0", 1.0):
        refused(m, OptionError, "options/seats", lambda seat=seat: m.play("8S", seat))  # type: ignore[misc]
        refused(m, OptionError, "options/seats", lambda seat=seat: m.view(seat))  # type: ignore[misc]
        refused(m, OptionError, "options/seats", lambda seat=seat: m.resign(seat))  # type: ignore[misc]


def test_several_moves_in_one_text_are_all_or_none() -> None:
    """`8S 6S 9S` plays one after another; if one is refused none is played."""
    hands = ["6S 8S 9S JS 7H", "TS 8H", "5S 6H"]
    m = sit("fan-tan", "ultimate", hands, "S 7")
    refused(m, IllegalMove, "move/illegal", lambda: m.play("8S 7H"))
    refused(m, NotationError, "move/syntax", lambda: m.play("8S nonsense"))
    refused(m, NotYourTurn, "move/turn", lambda: m.play("8S 6S 9S TS"))
    m.play("8S, 6S 9S")
    assert [act.move for act in m.moves] == ["8S", "6S", "9S"]


def test_moves_in_every_spelling() -> None:
    """Moves are read in any case, with blanks, `10` and suit signs; words by their first letter."""
    for text in ("ts", " TS ", "10s", "T♠", "10♠"):
        m = sit("fan-tan", "denexa", ["TS 2H", "6S", "5S"], "S 7-9")
        m.play(text)
        assert m.moves[0].move == "TS"
    m = sit("fan-tan", "denexa", ["KS 2H", "6S 9S", "5S"], "S 7")
    m.play("P")
    assert m.moves[0].move == "pass"


def test_automatic_moves() -> None:
    """What the rules force is made by Match, told in moves and events; with auto=False it is played by hand."""
    hands, rows = ["9S KS", "8S JS", "TS QS"], "S A-7  H A-K  D A-K  C A-K"
    m = sit("fan-tan", "denexa", hands, rows, turn=1)
    m.play("8S")
    assert [(act.seat, act.move, act.forced, act.number) for act in m.moves] == [
        (1, "8S", False, 1),
        (2, "pass", True, 2),
    ]
    assert [event.kind for event in m.events] == ["lay", "pass", "pay"]
    by_hand = sit("fan-tan", "denexa", hands, rows, turn=1, auto=False)
    by_hand.play("8S")
    assert (by_hand.actors, by_hand.legal()) == ((2,), ["pass"])


def test_under_penalise_nothing_is_automatic() -> None:
    """The pause would tell what the rules hide."""
    m = sit(
        "fan-tan",
        "denexa",
        ["9S KS", "8S JS", "TS QS"],
        "S A-7  H A-K  D A-K  C A-K",
        turn=1,
        options={"enforce": "penalise"},
    )
    m.play("8S")
    assert (m.actors, m.legal()) == ((2,), ["pass"])


def test_next_deal_by_hand() -> None:
    """auto=False: next_deal deals, once the deal is over and while the match is not."""
    m = sit("fan-tan", "denexa", ["8S", "9S", "TS"], "S 7", options={"deals": 2}, auto=False)
    refused(m, MatchOver, "match/deal", m.next_deal)
    m.play("8S")
    refused(m, MatchOver, "match/over", lambda: m.play("9S")) if m.over else refused(
        m, NotYourTurn, "move/turn", lambda: m.play("9S", 1)
    )
    refused(m, PositionError, "position/impossible", lambda: m.next_deal("AS 2S"))
    refused(m, NotationError, "move/syntax", lambda: m.next_deal("AS 2X"))
    m.next_deal(PACK)
    assert m.deal == 2
    assert m.dealer == 0


def test_after_the_end_nothing_may_be_played() -> None:
    """MatchOver, for moves, deals and resigning."""
    m = sit("fan-tan", "denexa", ["8S", "9S", "TS"], "S 7", options={"deals": 1})
    m.play("8S")
    assert m.over
    for call in (lambda: m.play("9S"), m.next_deal, lambda: m.resign(0)):
        refused(m, MatchOver, "match/over", call)
    refused(m, PositionError, "position/impossible", m.position)
    assert (m.actors, m.legal()) == ((), [])


def test_resign() -> None:
    """The seat gives the match up: it is over, and the best of the others wins."""
    m = sit("fan-tan", "denexa", ["8S 2H", "9S", "TS"], "S 7", stacks=[40, 12, 12])
    m.resign(0)
    assert m.result is not None
    assert (m.over, m.result.winners, m.result.resigned) == (True, (1, 2), 0)


# Taking back


def test_undo_takes_back_the_chosen_move_and_what_it_forced() -> None:
    """Across automatic moves and deals; the state is as it was, byte for byte."""
    m = Match("fan-tan", 4, "denexa", seed="undo")
    states = []
    while not m.over:
        states.append((m._s.tobytes()[2000:], m.moves, m.scores, m.deal))
        m.play(m.legal()[-1])
    chosen = sum(not act.forced for act in m.moves)
    assert len(states) == chosen
    for before in reversed(states[-40:]):
        m.undo()
        assert (m._s.tobytes()[2000:], m.moves, m.scores, m.deal) == before
    assert not m.over
    m.undo(chosen - 40)
    assert (m.deal, m.scores) == (1, states[0][2])
    refused(m, NothingToUndo, "match/undo", m.undo)
    refused(m, NothingToUndo, "match/undo", lambda: m.undo(0))
    refused(m, NothingToUndo, "match/undo", lambda: m.undo(-1))


def test_undo_of_resigning() -> None:
    """A match that was resigned can be taken back to the move before."""
    m = Match("fan-tan", seed=1)
    m.play(m.legal()[0])
    m.resign(2)
    m.undo()
    assert (m.over, [act for act in m.moves if not act.forced]) == (False, [])


# Views


def test_a_view_holds_what_a_seat_may_know() -> None:
    """Its own cards, everybody's counts, its moves if it may act; a spectator sees no cards."""
    m = sit("fan-tan", "denexa", ["8S 2H", "6S 9S 3H", "TS 4H"], "S 7")
    assert m.view(0).hand == ["8S", "2H"]
    assert m.view(0).legal == ["8S"]
    assert m.view(1).legal == []
    assert m.view().hand == []
    counts = {zone.seat: (zone.count, zone.cards) for zone in m.view(1).zones if zone.kind == "hand"}
    assert counts == {0: (2, (None, None)), 1: (3, ("6S", "9S", "3H")), 2: (2, (None, None))}
    assert "8S" not in m.view(1).text()
    assert "8S" not in str(m.view(2).as_dict())
