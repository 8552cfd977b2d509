"""Is anything useful left in Spider? The answers are held against the rules themselves, and look at no hidden card."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import pytest

from cardtable import Match, MatchOver
from cardtable.bots import bot
from cardtable.games.spider.advice import advice
from cardtable.games.spider.outlook import useful
from cardtable.games.spider.state import DEAL, DEALS, MAX_MOVES, State
from cardtable.rules import contract
from tests.games.spider.spider_tables import lay
from tests.support.terminal import at

TO_AND_FRO = ["KD 9D 8S", "KC 9H", "3C", "3D", "5C", "5D", "5H", "3H", "JC", "JD"]  #: 8S is all that can be moved
#: two suits, a run of spades removed: long runs can be taken apart and put together in very many ways
MANY = [
    "[*5] 3H 2H AS 8S 7H 6S KH QS JS TS 9S 5S",
    "QH",
    "[*2] 6H 5H 4H 3H 2S",
    "KH QH JH TH 9H 8H 7H 6H 5H 4H",
    "[*2] 3H 4S 3H 2H AH 4S 9H 8H",
    "JH KH QH JH TH 9H 8H 7S 6S 5S 4S 3S 2S",
    "5H",
    "[*3] 6H 5H 2H AH",
    "[*1] KS QS JH TS 9S 8S 7S 6S 5S",
    "KS QS JS TS 9S",
]
DEAD = ["KD", "KC", "5D", "5C", "3D"]  #: end cards that fit nowhere

LINES = [
    # columns, runs removed, cards of stock, the line, the same in words with what comes of it
    (["[8H 5C] 9S", "TD", "KS", "KH"], "S H D C", 40, ["1-2"], "9S onto TD turns up a card"),
    (
        ["[] KS QS JS TS 9S 8S 7S", "[] 6S 5S 4S 3S 2S AS"],
        "S H H D D C C",
        0,
        ["2-1x6"],
        "6S and 5 more onto 7S completes a run of spades",
    ),
    (["[] 8S", "9D", "9C", "JD", "JC", *DEAD], "H", 50, ["1-2"], "8S onto 9D empties a column"),
    (
        ["KH 9D 8S", "9S", "JD", "JC", "3C", *DEAD],
        "H",
        40,
        ["1-2"],
        "8S onto 9S joins 8S to the spades above it",
    ),
    (
        ["TD 9S", "3C TC", "JH", "KS", "7C", *DEAD],
        "H",
        40,
        ["1-2", "1-3"],
        "9S onto TC, then TD onto JH empties a column",
    ),
]


def use(s: Any) -> np.ndarray:
    """What is useful, counted: cards turned up, runs removed, empty columns, cards on the next higher of their suit. If
    no card begins face down, those count that lie on none but one a rank higher.
    """
    joined = disorder = 0
    for c in range(10):
        up = [int(card) for card in s.columns[c, s.down[c] : s.height[c]]]
        joined += sum(on == card + 1 and card % 13 < 12 for on, card in zip(up, up[1:], strict=False))
        disorder += sum(on % 13 != card % 13 + 1 for on, card in zip(up, up[1:], strict=False))
    freed = 44 - int(s.down.sum()) if s.rules.face_down else 104 - disorder
    return np.array([freed, int(s.removed), int((s.height == 0).sum()), joined])


def shortest(root: Any, most: int) -> int | None:
    """By the rules themselves: how many moves a useful line has; 0: there is none; None: more positions than are looked
    at.
    """
    first, known, row = use(root), {root.columns.tobytes()}, [(root, 1)]
    moves = np.zeros(MAX_MOVES, np.int64)
    for s, length in row:
        for move in [int(move) for move in moves[: contract.legal(s, 0, moves)]]:
            after = s.copy()
            if move != DEAL:
                contract.play(after, 0, move)
                if (use(after) > first).any():
                    return length
                if after.columns.tobytes() not in known:
                    known.add(after.columns.tobytes())
                    row.append((after, length + 1))
        if len(row) > most:
            return None
    return 0


@pytest.mark.rules("SP-15", "SP-Q13")
@pytest.mark.parametrize(("columns", "runs", "stock", "line", "words"), LINES)
def test_a_helpful_line_exists(columns: list[str], runs: str, stock: int, line: list[str], words: str) -> None:
    m = lay(columns, runs, stock)
    answer = m.outlook()
    assert (answer.useful, str(answer)) == (True, f"Yes: {words}.")
    assert answer.as_dict() == {"useful": True, "text": answer.text, "moves": line}
    before = use(m._s)
    m.play(" ".join(answer.moves))
    assert (use(m._s) > before).any()


@pytest.mark.rules("SP-Q13", "SP-C2")
def test_a_card_that_is_freed_is_useful_where_all_lie_face_up() -> None:
    """And only there: with a card face down somewhere the same move of a queen does nothing useful."""
    columns = ["5C QD", "KC", "9C", "9D", "2C 5D", "2D", "7C", "7D", "JC JD"]
    m = lay(columns, "S S H H", 40, face_down="no")
    assert str(m.outlook()) == "Yes: QD onto KC frees 5C."
    none = lay(["KD 9D 8S", "9H", *DEAD[2:], "5H", "3H", "3S", "JC", "JD"], "S H D C", 40, face_down="no")
    assert "none frees a card" in none.outlook().text


@pytest.mark.rules("SP-Q13", "SP-Q6")
def test_proved_none() -> None:
    """A card can go to and fro, or a whole column into a gap: nothing comes of it, and all there is has been looked
    at.
    """
    m = lay(TO_AND_FRO, "S", 40)
    assert m.legal() == ["1-2", "deal"]
    answer = m.outlook()
    assert (answer.useful, answer.moves) == (False, ())
    assert answer.text.startswith("No: of the 2 positions within reach none turns up a card, ")
    assert answer.text.endswith("; stock can be dealt.")
    lost = lay(["[] KS", "[] 5S", "[] 3S"], "S S S S S S S", 10, suits="1")
    assert lost.legal()
    assert lost.outlook().useful is False
    assert lost.outlook().text.endswith("; a gap must be filled before stock can be dealt.")


@pytest.mark.rules("SP-Q13")
def test_not_known() -> None:
    """With more positions than are looked at nobody claims anything; looked at to the end, the same position is
    proved.
    """
    state = lay(TO_AND_FRO, "S", 40).view(0).state
    assert (useful(state, 1).line, useful(state, 1).proved, useful(state, 1).searched) == ((), False, 1)
    assert useful(state, 2).proved
    answer = Match.from_position(
        {"game": "spider", "rules": "two-suits", "columns": MANY, "runs": "S", "stock": "*10"}
    ).outlook()
    assert (answer.useful, answer.moves) == (None, ())
    assert answer.text.startswith("Not known: 6000 positions were looked at, and there are more")


@pytest.mark.rules("SP-Q13", "SP-C2")
@pytest.mark.parametrize(("preset", "face_down"), [("four-suits", "yes"), ("two-suits", "yes"), ("four-suits", "no")])
def test_the_answer_is_that_of_the_rules(preset: str, face_down: str) -> None:
    """In positions of games: as many moves as the shortest useful line has by the rules, or none where they have
    none.
    """
    judged = {True: 0, False: 0}
    for seed in range(2):
        m = Match("spider", rules=preset, seed=seed, move_cap=100, face_down=face_down)
        player = bot("medium", seed=0)
        while not m.over:
            if len(m.moves) % 5 == 0:
                answer, length = useful(m._s, 400), shortest(m._s, 30)
                assert answer == useful(m.view(0).state, 400)  # no hidden card is looked at
                if length is not None:
                    assert (len(answer.line), answer.proved) == (length, length == 0)
                    judged[length > 0] += 1
            m.play(player.choose(m.view(0)))
    assert all(judged.values()), judged


@pytest.mark.rules("SP-Q13")
def test_in_the_terminal() -> None:
    m = lay(TO_AND_FRO, "S", 40)
    table, written = at(m)
    assert not table.answer("a", m.view(0))
    assert "No: of the 2 positions" in written()
    table.answer("?", m.view(0))
    assert "  a               is anything useful left?" in written()
    assert not m.moves


def test_games_that_do_not_tell() -> None:
    m = Match("fan-tan", 4, seed=1)
    assert m.outlook().useful is None
    assert "Fan Tan does not say" in m.outlook().text
    done = lay(TO_AND_FRO, "S", 40)
    done.resign(0)
    with pytest.raises(MatchOver):
        done.outlook()


def test_advice_claims_nothing_that_is_so_already() -> None:
    """That a card joins its suit, if it lies on the same card; nor a use where it is proved that there is none."""
    m = lay(["KH 9S 8S", "9S", "JD", "JC", "3C", *DEAD], "H", 40)
    assert str(m.view(0).advice(["1-2"]).why) == "that frees 9S"
    s = cast("State", lay(TO_AND_FRO, "S", 40).view(0).state)
    assert str(advice(s, 0, [1]).why) == "that frees 9D"
    s.dealt = DEALS
    assert str(advice(s, 0, [1]).why) == "no move does anything useful any more"
