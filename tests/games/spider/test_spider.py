"""Spider by the book: each rule, decided question and worked example of its rulebook page."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from cardtable import Match, MatchOver, NotationError, OptionError, PositionError
from cardtable.base.cards import card_text
from cardtable.kernel import prng
from cardtable.rules import contract
from cardtable.rules.worlds import Work
from cardtable.testing.houses import redacted
from tests.games.spider.spider_tables import KING_TO_TWO, OTHERS, column, down, happened, lay, lying, refusal, zone
from tests.support.terminal import sentences

LAST_TWO = ["[] KS QS JS TS 9S 8S 7S", "[] 6S 5S 4S 3S 2S AS"]  #: columns of the last run


def pack(suits: int = 4) -> list[str]:
    """The 104 cards in order of the pack."""
    return [card_text(card) for card in range(13 * suits) for _ in range(8 // suits)]


def last_run(**keys: Any) -> Match:
    """A game whose next move `2-1` completes the last run."""
    return lay(LAST_TWO, "S H H D D C C", **keys)


def ended(m: Match) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The winners and the scores of a game that is over."""
    assert m.result is not None
    assert (m.over, m._s.over) == (True, m.result.resigned is None)
    return m.result.winners, m.result.scores


# The deal


@pytest.mark.rules("SP-01", "SP-03", "SP-04", "SP-E1")
def test_the_deal() -> None:
    """54 cards in ten columns, 44 of them face down, and 50 in the stock."""
    m = Match("spider", seed=1)
    assert m.seats == 1
    assert [down(m, c) for c in range(1, 11)] == [5] * 4 + [4] * 6
    assert all(len(column(m, c)) == 1 for c in range(1, 11))
    assert sum(down(m, c) for c in range(1, 11)) == 4 * 10 + 4 == 44
    assert lying(m) == 54
    assert zone(m, "stock").count == 50 == 104 - 54
    assert "5 deals" in zone(m, "stock").text
    with pytest.raises(OptionError, match="one player only"):
        Match("spider", 2)
    assert Match("spider-solitaire", seed=1).game is m.game


@pytest.mark.rules("SP-04", "SP-11")
def test_a_given_pack_is_dealt_row_by_row() -> None:
    """Four rows, four cards more, one row face up; then the stock, ten by ten, in the order of the columns."""
    cards = pack()
    m = Match.from_pack(" ".join(cards), "spider")
    columns = m.position().as_dict()["columns"]
    for c in range(10):
        rows = [cards[c + 10 * row] for row in range(4)] + ([cards[40 + c]] if c < 4 else [])
        assert columns[c] == f"[{' '.join(rows)}] {cards[44 + c]}"
    assert m.position().as_dict()["stock"].split() == cards[54:]
    for k in range(5):
        m.play("deal")
        assert [column(m, c)[-1] for c in range(1, 11)] == cards[54 + 10 * k : 64 + 10 * k]
        dealt = [(event.card, event.place) for event in m.events if event.kind == "dealt"]
        assert dealt == list(zip(cards[54 + 10 * k : 64 + 10 * k], range(1, 11), strict=True))
        assert zone(m, "stock").count == 40 - 10 * k
    assert refusal(m, "deal") == ("the stock is used up", "SP-11")


@pytest.mark.rules("SP-C2")
def test_all_cards_of_the_columns_face_up() -> None:
    """Dealt as always; no card is turned up, the stock stays hidden, and a card below the end counts as any other."""
    closed, m = (Match("spider", seed=1, face_down=rule) for rule in ("yes", "no"))
    dealt = [text.replace("[", "").replace("]", "") for text in closed.position().as_dict()["columns"]]
    assert [" ".join(column(m, c)) for c in range(1, 11)] == dealt
    assert (sum(down(m, c) for c in range(1, 11)), zone(m, "stock").count) == (0, 50)
    seen = redacted(m._s, 0)
    assert (seen.columns == m._s.columns).all()
    assert not seen.stock.any()
    m = lay(["5C QD JD 9C", "TC", "KD", "KC", "2C", "2D", "4C", "4D", "7C"], "S S H H", 40, face_down="no")
    m.play("1-2")
    assert (column(m, 1), happened(m)) == (["5C", "QD", "JD"], ["9C goes to column 2 (SP-05)"])
    m.play("1-4x2")
    assert (column(m, 1), column(m, 4)) == (["5C"], ["KC", "QD", "JD"])
    with pytest.raises(PositionError, match=r"begins with 0 \(SP-C2\)"):
        lay(["[*] 5C QD JD 9C", "TC", "KD", "KC", "2C", "2D", "4C", "4D"], "S S H H", 40, face_down="no")


@pytest.mark.rules("SP-Q14")
def test_two_packs_and_no_more() -> None:
    """No option adds packs, and a pack of more cards is refused; the layout would not come out even with them."""
    with pytest.raises(OptionError, match="there is no such option"):
        Match("spider", decks=5)
    for packs in (3, 4, 5):
        assert (52 * packs - 54) % 10
        with pytest.raises((PositionError, NotationError)):
            Match.from_pack(" ".join(card_text(card) for card in range(52) for _ in range(packs)), "spider")
    assert (52 * 2 - 54) % 10 == 0


@pytest.mark.rules("SP-03", "SP-Q1")
@pytest.mark.parametrize(("preset", "suits"), [("four-suits", "SHDC"), ("two-suits", "SH"), ("one-suit", "S")])
def test_suits(preset: str, suits: str) -> None:
    """Always 104 cards: each card twice, four times or eight times."""
    m = Match("spider", rules=preset, seed=3)
    keys = m.position().as_dict()
    cards = Counter(" ".join([*keys["columns"], keys["stock"]]).replace("[", "").replace("]", "").split())
    assert cards == Counter({rank + suit: 8 // len(suits) for rank in "A23456789TJQK" for suit in suits})
    with pytest.raises((PositionError, NotationError), match=r"a pack of 104 cards|stands \d times"):
        Match.from_pack(" ".join(pack(4 if len(suits) < 4 else 2)), "spider", rules=preset)


def test_a_game_has_a_number() -> None:
    """The same number is the same game; another number, or other suits, another one."""
    first, again, other = (Match("spider", seed=seed).position().text for seed in (1234, "1234", 1235))
    assert first == again != other
    assert (
        Match("spider", seed=1234, scoring="points", move_cap=500).position().as_dict()["columns"]
        == Match("spider", seed=1234).position().as_dict()["columns"]
    )


# Moves


@pytest.mark.rules("SP-05", "SP-06", "SP-E2")
def test_a_mixed_run() -> None:
    """Of JH TD 9S only the 9S moves; TD 9S together are of two suits."""
    m = lay(["JH TD 9S", "TC", "JC"], "S H D C", 40)
    assert "1-2" in m.legal()
    assert not [move for move in m.legal() if move.startswith("1-") and "x" in move]
    assert refusal(m, "1-3x2") == ("TD 9S do not move together: they are not of one suit", "SP-06")
    assert refusal(m, "1-3x3")[1] == "SP-06"
    m.play("1-2")
    assert column(m, 1) == ["JH", "TD"]
    assert column(m, 2) == ["TC", "9S"]
    m.play("1-3")  # TD on JC: any suit
    assert column(m, 3) == ["JC", "TD"]


@pytest.mark.rules("SP-06", "SP-Q5", "SP-E3")
def test_a_run_as_a_unit_and_in_part() -> None:
    """JC TC 9C go onto a queen, TC 9C onto a jack, 9C onto a ten."""
    m = lay(["JC TC 9C", "QD", "JS", "TH"], "S H D C", 40)
    assert {"1-2x3", "1-3x2", "1-4"} <= set(m.legal())
    for move, remains, there in (
        ("1-2x3", [], ["QD", "JC", "TC", "9C"]),
        ("1-3x2", ["JC"], ["JS", "TC", "9C"]),
        ("1-4", ["JC", "TC"], ["TH", "9C"]),
    ):
        m.play(move)
        assert column(m, int(move[2])) == there
        assert column(m, 1)[-len(remains) :] == remains or not remains
        m.undo()


@pytest.mark.rules("SP-05")
def test_exactly_one_rank_higher() -> None:
    m = lay(["9S", "8H", "JD", "9H", "TC"], "S H D C", 30)
    for number, card in ((2, "8H"), (3, "JD"), (4, "9H")):
        assert refusal(m, f"1-{number}") == (f"9S goes on a ten; column {number} ends with {card}", "SP-05")
    assert refusal(m, "1-1")[1] == "SP-05"
    assert refusal(m, "6-1") == ("column 6 is empty", "SP-05")
    assert refusal(m, "1-5x2") == ("only 1 card of column 1 lies face up", "SP-06")
    assert "1-5" in m.legal()


@pytest.mark.rules("SP-07", "SP-08", "SP-E4")
def test_king_and_ace() -> None:
    """A king goes only into a gap; an ace onto a two or into a gap; nothing goes on an ace."""
    m = lay(["KS", "AH", "2C", "2H", "QD", "3H"], "S H D C", 30)
    moves = set(m.legal())
    assert {move for move in moves if move.startswith("1-")} == {"1-7", "1-8", "1-9", "1-10"}
    assert {move for move in moves if move.startswith("2-")} == {"2-3", "2-4", "2-7", "2-8", "2-9", "2-10"}
    assert not {move for move in moves if move.endswith("-2")}
    assert refusal(m, "1-2") == ("KS is a king: it goes only into an empty column", "SP-08")
    assert refusal(m, "3-2") == ("column 2 ends with AH, and nothing goes on an ace", "SP-07")
    assert refusal(m, "2-6") == ("AH goes on a two; column 6 ends with 3H", "SP-07")
    m.play("2-4")
    assert column(m, 4) == ["2H", "AH"]


@pytest.mark.rules("SP-06", "SP-07", "SP-08")
def test_an_ace_and_a_king_that_a_deal_brings_are_no_run() -> None:
    """Nothing goes round the corner: a king on an ace, in the order of the pack, or of one suit."""
    m = lay(["AH KS", "AS KS", "KH AH", "QS"], "D D C C", 30)
    assert {move for move in m.legal() if move[0] in "123"} == {
        f"{source}-{to}" for source in range(1, 4) for to in range(5, 11)
    }
    assert refusal(m, "1-5x2")[1] == refusal(m, "2-5x2")[1] == refusal(m, "3-5x2")[1] == "SP-06"


@pytest.mark.rules("SP-09", "SP-Q8")
def test_a_card_that_is_exposed_is_turned_up() -> None:
    m = lay(["[8H 5C] 9S", "TD", "KS", "KH"], "S H D C", 40)
    m.play("1-2")
    assert column(m, 1) == ["5C"]
    assert down(m, 1) == 1
    hidden = lay(["[TC 9C] 8C", "JH", "TH"], "S H D C", 40)
    assert refusal(hidden, "1-3x2") == ("only 1 card of column 1 lies face up", "SP-06")
    assert [move for move in hidden.legal() if move.startswith("1-")] == [f"1-{to}" for to in range(4, 11)]
    assert happened(m) == ["9S goes to column 2 (SP-05)", "5C is turned up in column 1 (SP-09)"]


@pytest.mark.rules("SP-10", "SP-Q6")
def test_a_gap_takes_any_card_or_run() -> None:
    m = lay(["9C 8C 7C", "[] TH 9H", "4S", "KD"], "S H D C", 30)
    assert {"1-5", "1-5x2", "1-5x3", "2-5", "2-5x2", "3-10", "4-6"} <= set(m.legal())
    before = sorted(column(m, c) for c in range(1, 11))
    m.play("2-5x2")  # a whole column into a gap changes nothing
    assert sorted(column(m, c) for c in range(1, 11)) == before
    m.play("1-7x3")
    assert column(m, 7) == ["9C", "8C", "7C"]
    assert "9C and 2 more go to column 7 (SP-10)" in happened(m)


@pytest.mark.rules("SP-Q6")
def test_what_changes_nothing_counts_as_a_pass() -> None:
    """A whole column into a gap; not a part of it, not cards with others face down below, not a whole column on
    another, not a deal.
    """
    m = lay(["9C 8C 7C", "[] TH 9H", "[] 8S", "[] QC JC TC 9C 8C", "4S", "[] 6S"], "S H D D", 30)
    passes = {text for text in m.legal() if contract.is_pass(m._s, m.game.presentation.parse_move(m._s, text))}
    assert passes == {
        f"{move}-{to}{many}" for to in range(7, 11) for move, many in (("2", "x2"), ("3", ""), ("4", "x5"), ("6", ""))
    }
    assert {"2-7", "1-7x3", "4-7x4", "3-2", "5-7"} <= set(m.legal())
    m = lay(OTHERS[:9] + ["3C"], "S H D C", 10)
    assert "deal" in m.legal()
    assert not contract.is_pass(m._s, m.game.presentation.parse_move(m._s, "deal"))


# Deals from the stock


@pytest.mark.rules("SP-11", "SP-Q9")
def test_a_deal_is_allowed_while_there_are_moves_and_its_ten_cards_are_told_in_one_line() -> None:
    """One by one they are told with their columns, and together without any."""
    m = Match("spider", seed=1, auto=False)
    assert len(m.legal()) > 1
    assert m.legal()[-1] == "deal"
    m.play("deal")
    assert lying(m) == 64
    dealt = [event.text for event in m.events if event.kind == "dealt"]
    assert dealt[:2] == ["8C is dealt to column 1 (SP-11)", "7S is dealt to column 2 (SP-11)"]
    assert sentences(m.events, ["Ann"])[-1] == "The stock gives 8C, 7S, JC, KS, 9C, 6D, KD, 8D, TD and AS (SP-11)"


@pytest.mark.rules("SP-12", "SP-E5")
def test_a_gap_forbids_the_deal() -> None:
    """Column 7 is empty and 20 cards are left: no deal before a card lies there."""
    ends = ["5D", "5C", "7D", "7C", "9D", "9C", "", "JD", "JC", "3D 2D"]
    m = lay(ends, "S S H H", 20)
    assert "deal" not in m.legal()
    assert refusal(m, "deal") == (
        "column 7 is empty: stock is dealt only when no column is empty; put a card there first",
        "SP-12",
    )
    m.play("10-7")
    assert "deal" in m.legal()
    m.play("deal")
    assert zone(m, "stock").count == 10


@pytest.mark.rules("SP-12", "SP-Q7", "SP-E8")
def test_short_columns() -> None:
    """Seven runs of one suit removed, three cards in the columns, ten in the stock: no deal; only under `relaxed`."""
    strict = lay(["[] KS", "[] 5S", "[] 4S"], "S S S S S S S", 10, suits="1")
    assert lying(strict) == 54 + 40 - 91 == 3
    assert refusal(strict, "deal") == (
        "columns 4, 5, 6, 7, 8, 9 and 10 are empty, and the 3 cards left cannot fill all columns; stock is dealt only "
        "when no column is empty",
        "SP-Q7",
    )
    strict.play("3-2")
    assert "deal" not in strict.legal()
    relaxed = lay(["[] KS", "[] 5S", "[] 4S"], "S S S S S S S", 10, suits="1", deal_when_short="relaxed")
    relaxed.play("deal")
    assert [zone(relaxed, f"column-{c}").count for c in range(1, 11)] == [2, 2, 2, 1, 1, 1, 1, 1, 1, 1]
    assert not relaxed.over


@pytest.mark.rules("SP-12", "SP-Q7")
def test_several_gaps_are_named_and_relaxed_is_for_fewer_than_ten_cards_only() -> None:
    for rule in ("strict", "relaxed"):
        reason, cited = refusal(lay([*OTHERS[:7], "", "JC", ""], "S S H H", 20, deal_when_short=rule), "deal")
        assert reason.startswith("columns 8 and 10 are empty")
        assert cited == "SP-12"


@pytest.mark.rules("SP-12", "SP-Q7")
def test_the_positions_that_cannot_be_won() -> None:
    """SP-Q7: fewer than ten cards in the columns, with stock left, only so; then `relaxed` lets them be dealt."""
    short = {(d, r): 54 + 10 * d - 13 * r for d in range(5) for r in range(9) if 0 <= 54 + 10 * d - 13 * r < 10}
    assert short == {(0, 4): 2, (2, 5): 9, (3, 6): 6, (4, 7): 3}
    for (deals, runs), n in [*short.items(), ((1, 4), 12)]:
        columns = [f"[] {rank}S" for rank in "A3579JK24"[:n]]
        columns[-1] = columns[-1].replace("[]", "[* * *]" if n == 12 else "[]")
        keys: dict[str, Any] = {"columns": columns, "runs": "S " * runs, "stock": 50 - 10 * deals, "suits": "1"}
        strict, relaxed = lay(**keys), lay(**keys, deal_when_short="relaxed")
        assert (lying(strict), "deal" in strict.legal(), "deal" in relaxed.legal()) == (n, False, n < 10)


@pytest.mark.rules("SP-C1", "SP-E9")
def test_a_deal_over_gaps() -> None:
    """SP-E9: under `any` each column gets a card, empty ones too; a single card in an emptied column is one more gap
    later.
    """
    ends = [*OTHERS[:6], "", "JD", "", "JC"]
    row = "4C 8D KD 2C 3C QC 8C KC QD 6D"
    m = lay(ends, "S S H H", f"{row} *10", deal_when_short="any")
    prompt = m.view(0).prompt
    assert prompt
    assert (str(prompt.ask), prompt.rule) == (
        "Put any card or run into an empty column, or deal: each column gets a card, empty ones too.",
        "SP-10",
    )
    before = [zone(m, f"column-{c}").count for c in range(1, 11)]
    m.play("deal")
    assert [zone(m, f"column-{c}").count for c in range(1, 11)] == [n + 1 for n in before]
    assert (column(m, 7), column(m, 9)) == (["8C"], ["QD"])
    assert [column(m, c)[-1] for c in range(1, 11)] == row.split()
    m.play("deal")
    assert refusal(m, "deal") == ("the stock is used up", "SP-11")


# Runs, and the end


@pytest.mark.rules("SP-13", "SP-Q2", "SP-Q8")
def test_a_complete_run_is_removed_at_once() -> None:
    """First the card exposed by the move is turned up, then the run leaves, then the card below it is turned up."""
    m = lay(["[8D] KS QS JS TS 9S 8S 7S 6S 5S 4S 3S", "[6D] 2S AS", "KD", "KC"], "H H D C", 30)
    assert zone(m, "runs").count == 52
    m.play("2-1x2")
    assert column(m, 1) == ["8D"]
    assert column(m, 2) == ["6D"]
    assert happened(m) == [
        "2S and 1 more go to column 1 (SP-06)",
        "6D is turned up in column 2 (SP-09)",
        "the run from KS to the ace is removed from column 1 (SP-13)",
        "seat 0 scores 1 for a complete run (SP-13)",
        "8D is turned up in column 1 (SP-09)",
    ]
    assert (zone(m, "runs").text, zone(m, "runs").cards) == ("5 of 8", ("KH", "KH", "KD", "KC", "KS"))
    assert m.scores == (5,)
    assert not m._s.columns[0, 1:].any()


@pytest.mark.rules("SP-13", "SP-Q4")
def test_what_is_no_run() -> None:
    """Thirteen cards of two suits; twelve from the queen to the ace, or from the king to the two; and a complete run in
    the middle is no position.
    """
    m = lay(["[] KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "AH", "KD", "KC", "4H"], "H D C", 40)
    m.play("2-1")
    assert (len(column(m, 1)), m.scores) == (13, (3,))
    m = lay(["[] QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "[] AS", f"[] {KING_TO_TWO}", "4H"], "H D C C D", 10)
    m.play("2-1")
    assert (len(column(m, 1)), len(column(m, 3)), m.scores) == (12, 12, (5,))
    with pytest.raises(PositionError, match="holds a complete run"):
        lay([f"{KING_TO_TWO} AS 5H", *OTHERS], "H", 30)


@pytest.mark.rules("SP-13", "SP-Q3", "SP-E6")
def test_a_run_completed_by_a_deal() -> None:
    """It leaves when the tenth card lies; the columns hold three cards fewer."""
    m = lay([*OTHERS[:2], f"[8H] {KING_TO_TWO}", *OTHERS[2:]], "H", "*2 AS *37")
    before = lying(m)
    m.play("deal")
    assert lying(m) == before + 10 - 13 == before - 3
    assert column(m, 3) == ["8H"]
    kinds = [event.kind for event in m.events]
    assert kinds == ["dealt"] * 10 + ["run", "score", "turn"]


@pytest.mark.rules("SP-02", "SP-14", "SP-E7")
def test_the_game_is_won() -> None:
    """The move that joins the last thirteen cards wins: 8 x 13 = 104."""
    m = last_run()
    assert lying(m) == 104 - 91 == 13
    assert m.scores == (7,)
    m.play("2-1")  # as many as fit
    assert m.moves[-1].move == "2-1x6"
    assert ended(m) == ((0,), (8,))
    assert m.results[-1].winner == 0
    assert happened(m)[-1] == "seat 0 wins the deal (SP-14)"
    assert (m.events[-1].source, m.events[-1].amount) == (0, 0)
    assert zone(m, "runs").count == 104
    with pytest.raises(MatchOver):
        m.play("deal")


@pytest.mark.rules("SP-15", "SP-Q10")
def test_stuck() -> None:
    """Nothing can be moved or dealt any more: the game is lost, and nobody has won it."""
    m = lay(["TD AS", "2C", "4H", "6H", "8H", "TH", "QH", "4D", "6D", "8D"], "S H D C")
    assert m.legal() == ["1-2"]
    m.play("1-2")
    assert ended(m) == ((), (4,))
    assert m.results[-1].winner is None
    assert happened(m)[-1] == "nothing can be moved or dealt: the game is lost (SP-Q10)"
    assert (m.events[-1].source, m.events[-1].amount) == (0, 0)


STILL = ["QH", "QD", "4H", "4D", "2H", "2D", "2S", "QS"]  #: end cards of which none fits on another


@pytest.mark.rules("SP-06", "SP-Q5", "SP-Q10")
@pytest.mark.parametrize(
    ("run", "end", "legal"),
    [
        ("7C 6C", "8H", "1-2x2"),
        ("8C 7C 6C", "9H", "1-2x3"),
        ("9C 8C 7C 6C", "TH", "1-2x4"),
        ("7C 6C", "9H", ""),
        ("8C 7C 6C", "TH", ""),
        ("7H 6C", "8S", ""),
        ("6C", "7H", "1-2"),
        ("7C", "8H", "1-2"),
    ],
)
@pytest.mark.parametrize("last", [False, True])
def test_nothing_fits_but_a_run(run: str, end: str, legal: str, last: bool) -> None:
    """Without stock and gaps: a run of which only the highest card fits keeps the game going, and one that fits nowhere
    does not. last: the columns the other way round.
    """
    columns = [run, end, *STILL]
    if last:
        columns, legal = columns[::-1], legal.replace("1-2", "10-9")
    if legal:
        assert lay(columns, "S H D C").legal() == [legal]
    else:
        with pytest.raises(PositionError, match="nothing can be moved or dealt"):
            lay(columns, "S H D C")


@pytest.mark.rules("SP-08", "SP-Q10")
def test_a_king_keeps_no_game_going() -> None:
    """It goes on nothing, and a queen goes on it."""
    still = ["8H", "8D", "8S", "4H", "4D", "4S", "TH", "TD"]
    with pytest.raises(PositionError, match="nothing can be moved or dealt"):
        lay(["KC", "6C", *still], "S H D C")
    assert lay(["KC QC", "KH", *still], "S H D C").legal() == ["1-2"]


@pytest.mark.rules("SP-15")
def test_resigning() -> None:
    """It is no move, and always possible; the game is lost, and the runs removed count."""
    m = last_run()
    assert "resign" not in m.legal()
    m.resign(0)
    assert ended(m) == ((), (7,))
    with pytest.raises(MatchOver):
        m.resign(0)
    again = Match("spider", seed=1)
    again.play("deal")
    again.resign(0)
    assert Match.from_record(str(again.record())).result == again.result


@pytest.mark.rules("SP-Q12")
def test_a_game_has_an_end() -> None:
    """To and fro without end: after move_cap moves and deals the game is lost."""
    m = lay(["[] 8S", "KD", "KC", "QH"], "S H D C", 40, move_cap=100)
    for k in range(100):
        assert not m.over
        assert bool(zone(m, "moves").facts) == (k >= 90), "the limit is told in its last tenth"
        m.play("1-5" if k % 2 == 0 else "5-1")
    assert ended(m)[0] == ()
    assert happened(m)[-1] == "100 moves are made: the game is lost (SP-Q12)"
    assert m.events[-1].source == 0
    m.undo()
    assert not m.over
    assert Match("spider", seed=1).options.as_dict()["move_cap"] == 2000


@pytest.mark.rules("SP-Q12")
def test_a_run_completed_by_the_last_move_counts() -> None:
    m = last_run(made=99, move_cap=100)
    m.play("2-1")
    assert ended(m)[0] == (0,)


# Points


@pytest.mark.rules("SP-Q11")
def test_points() -> None:
    """500 at the start, 1 off for a move, nothing for a deal, 100 for a run, never below 0."""
    m = Match("spider", seed=7, scoring="points")
    assert m.scores == (500,)
    m.play(m.legal()[0])
    assert m.scores == (499,)
    m.play("deal")
    assert m.scores == (499,)
    won = last_run(scoring="points", made=119)
    assert won.scores == (500 - 119 + 700,)
    won.play("2-1")
    assert won.scores == (1180,)
    assert won.results[-1].payoff == (1180,)
    assert [event.text for event in won.events if event.kind == "score"] == [
        "seat 0 scores -1 by the points played for (SP-Q11)",
        "seat 0 scores 100 by the points played for (SP-Q11)",
    ]
    keys = last_run(scoring="points").position().as_dict() | {"points": 0}
    for points, moves in ((1, "1-3 3-1"), (0, "1-3")):
        poor = Match.from_position(keys | {"points": points})
        poor.play(moves)
        assert poor.scores == (0,)
    assert zone(poor, "points").count == 0
    assert not [zone for zone in last_run().view(0).zones if zone.name == "points"]


# Notation, undo


def test_notation() -> None:
    """Without a number of cards, as many go as fit on the end card there; and a string may hold several moves."""
    m = lay(["JC TC 9C", "QD", "JS", "TH"], "S H D C", 40)
    words = m.game.presentation
    ways = {"1-2x3": ["1-2x3", "1-2", "1 2", "1>2 x3", " 1 → 2 "], "1-3x2": ["1-3"], "1-9": ["1-9"]}
    for move, texts in (ways | {"deal": ["DEAL", "d"]}).items():
        assert {words.move_text(m._s, words.parse_move(m._s, text)) for text in texts} == {move}
    for text in ("", "7H", "1", "0-2", "1-11", "1-2x0", "1-2x13", "1-2x", "pass", "1-2-3", "-1-2"):
        with pytest.raises(NotationError):
            m.play(text)
    m.play("1-4 1-3")
    assert column(m, 4) == ["TH", "9C"]
    assert column(m, 3) == ["JS", "TC"]


# Worlds


@pytest.mark.rules("SP-03", "SP-04", "SP-13")
@pytest.mark.parametrize(
    ("suits", "runs", "stock"), [("4", "H C", 30), ("4", "S H", 50), ("2", "S H S", 20), ("1", "S S S S", 0)]
)
def test_worlds_hold_the_cards_that_are_not_seen(suits: str, runs: str, stock: int) -> None:
    """What lies open stays; face down and in the stock are, in any order, the other cards of the pack but for the runs
    removed.
    """
    own = {"4": "DC", "2": "SH", "1": "SS"}[suits]
    open_cards = [f"{text[0]}{own['DC'.index(text[1])]}" for text in OTHERS] + [f"6{own[0]} 5{own[0]} 4{own[0]}"]
    m = lay(open_cards, runs, stock, suits=suits)
    whole = Counter(
        f"{rank}{suit}" for rank in "A23456789TJQK" for suit in "SHDC"[: int(suits)] for _ in range(8 // int(suits))
    )
    unseen = whole - Counter(f"{rank}{suit}" for rank in "A23456789TJQK" for suit in runs.split())
    words, orders = prng.key_of("worlds"), []
    for _ in range(5):
        world = redacted(m._s, 0)
        world.rng[:] = words
        contract.resample(world, 0, Work.new())
        words[:] = world.rng
        columns = [[card_text(int(card)) for card in world.columns[c, : world.height[c]]] for c in range(10)]
        assert [column[down(m, c + 1) :] for c, column in enumerate(columns)] == [text.split() for text in open_cards]
        waiting = [card_text(int(card)) for card in world.stock[50 - stock :]]
        assert Counter([*sum(columns, []), *waiting]) == unseen
        assert not world.stock[: 50 - stock].any()
        orders.append((columns, waiting))
    assert all(a != b for a, b in zip(orders, orders[1:], strict=False))
