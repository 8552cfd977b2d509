"""Reviews: what a decision was worth, by what its seat knew; the grades; the command."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable import Match, OptionError, RecordError, bot
from cardtable.bots.searcher import Searcher, hash_of
from cardtable.kernel import prng
from cardtable.review.decisions import Decision, Part
from cardtable.review.review import (
    BEST,
    GOOD,
    GRADES,
    ITERATIONS,
    LEAST_ITERATIONS,
    MARKED,
    SEEN_STATES,
    average,
    grade_of,
    marked,
    questions,
    review,
    whole,
)
from cardtable.rules.catalog import games
from tests.support.commands import call
from tests.support.effort import cases

FEW = LEAST_ITERATIONS


def play(m: Match, acts: int, level: str = "medium", seed: int = 1) -> Match:
    """Let bots continue with a match for a number of chosen acts, if it is not over before."""
    player = bot(level, seed)
    for _ in range(acts):
        if m.over:
            break
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    return m


def decision(**known: Any) -> Decision:
    return replace(Decision(1, 1, 0, "7S", "7H", 0.0, 1.0, 1.0, 0.1, 5.0, GOOD), **known)


# Grades


def test_a_grade_goes_by_what_is_sure() -> None:
    assert decision(loss=1.0, error=0.4).sure == pytest.approx(0.2)
    assert decision(loss=1.0, error=0.6).sure == 0.0  # within two errors: nothing is sure
    assert [grade_of(sure, 10.0) for sure in (0.0, 0.4, 0.5, 1.9, 2.0, 4.9, 5.0, 90.0)] == [
        GOOD,
        GOOD,
        "inaccuracy",
        "inaccuracy",
        "mistake",
        "mistake",
        "blunder",
        "blunder",
    ]
    assert grade_of(0.0, 0.0) == GOOD  # nothing is at stake, nothing is lost
    assert {GOOD, BEST, "inaccuracy", "mistake", "blunder"} == set(GRADES)


def test_the_average_loss_is_that_of_the_losses_that_are_told() -> None:
    """Statistics have only these, in any order (such a review was told with 0.048 and with 0.049)."""
    losses = [0.0006, 0.0, 0.0006]
    assert average(decision(loss=loss) for loss in losses) == 0.001
    rounded = [0.1, 0.2, 0.3, 0.401]
    assert {average(decision(loss=loss) for loss in order) for order in permutations(rounded)} == {0.25}
    assert average([]) == 0.0


def test_the_three_worst_are_marked_and_nothing_that_is_good() -> None:
    rows = [
        decision(number=k, loss=loss, error=error, grade=grade)
        for k, (loss, error, grade) in enumerate(
            [
                (9.0, 4.4, "inaccuracy"),
                (3.0, 0.1, "mistake"),
                (8.0, 4.1, GOOD),
                (4.0, 0.1, "mistake"),
                (2.0, 0.1, "mistake"),
                (0.0, 0.0, BEST),
            ]
        )
    ]
    assert [one.number for one in marked(rows) if one.worst] == [1, 3, 4]  # of the first, little is sure
    assert [one.number for one in marked(rows[2:4]) if one.worst] == [3]
    assert MARKED == 3


def test_the_steps_of_a_set_are_one_decision() -> None:
    """A player chooses its cards at once."""

    def step(number: int, chosen: str, move: str, best: str, **known: Any) -> Decision:
        part = Part(tuple(chosen.split()), "done")
        return decision(number=number, move=move, best=best, part=part, **{"loss": 0.0, "error": 0.0} | known)

    steps = [
        step(3, "", "AC", "AC", grade=BEST),
        step(4, "AC", "QS", "8C", loss=2.0, error=0.3, grade="mistake"),
        step(5, "AC QS", "done", "3D", loss=1.0, error=0.4, grade="inaccuracy", estimate=0.5),
        step(8, "", "2C", "2C", grade=BEST),
        step(9, "2C", "done", "done", grade=BEST),
        decision(number=12, move="doubt", best="accept"),
    ]
    laid, well, doubt = whole(steps)
    assert (laid.number, laid.move, laid.best, laid.loss, laid.error) == (3, "AC QS", "AC 8C", 3.0, 0.5)
    assert (laid.estimate, laid.best_estimate, laid.grade) == (0.5, 3.5, "mistake")
    assert [str(one) for one in (laid.move_label, laid.best_label)] == ["AC QS", "AC 8C …"]
    assert (well.number, well.move, well.best, well.grade) == (8, "2C", "2C", BEST)
    assert doubt is steps[-1]
    assert whole(steps[:2])[0].number == 3, "as far as it is judged"


# Judging


def test_a_blunder_costs_and_the_best_move_does_not() -> None:
    """A player who lays the six of spades lets the next seat lay the five, if that is its last card; the king of hearts
    opens nothing.
    """
    position = {
        "game": "fan-tan",
        "rules": "denexa",
        "turn": 0,
        "hands": ["6S KH", "5S", "8S 9S"],
        "rows": "S 7-7  H A-Q  D A-K  C A-K",
        "pot": 9,
        "stacks": [20, 20, 20],
        "unlisted": "dead",
    }
    decisions = {}
    for move in ("6S", "KH"):
        m = Match.from_position(position)
        m.play(move)
        (decisions[move],) = [one for one in review(m, 0, 2000).decisions if one.number == 1]
    good, bad = decisions["KH"], decisions["6S"]
    assert (good.best, bad.best) == ("KH", "KH"), "both are asked the same"
    assert (good.grade, good.loss, good.error) == (BEST, 0.0, 0.0)
    assert bad.grade in ("mistake", "blunder")
    assert bad.loss > 2.0
    assert bad.loss == pytest.approx(bad.best_estimate - bad.estimate)


def test_moves_are_paired_in_the_same_worlds() -> None:
    """The error of a difference in the same worlds is smaller than that of two means apart."""
    m = Match("fan-tan", 4, seed=2)
    think, seat = Searcher(m.game), m.actors[0]
    view = m.view(seat)
    assert len(view.moves) > 1
    result = think(view.state, seat, prng.key_of(1), iterations=1000)
    other = next(value.move for value in result.values if value.move != result.best)
    pair = think.pair(result.best, other, 1500)
    assert pair.worlds == 500
    assert pair.more == pytest.approx(pair.first - pair.second)
    assert 0 < pair.error < result.spread * (2 / pair.worlds) ** 0.5
    same = think.pair(result.best, result.best, 300)
    assert (same.more, same.error) == (0.0, 0.0), "a move does not differ from itself, whatever the cards"


def test_the_same_record_gives_the_same_review() -> None:
    m = play(Match("fan-tan", 3, seed=8), 30, "random")
    first, again = review(m, 1, FEW), review(str(m.record()), 1, FEW)
    assert first.decisions
    assert first.as_dict() == again.as_dict()
    one = review(m, 1, FEW, deal=1)
    assert [x for x in first.as_dict()["decisions"] if x["deal"] == 1] == [
        x | {"worst": y["worst"]}
        for x, y in zip(
            one.as_dict()["decisions"], [d for d in first.as_dict()["decisions"] if d["deal"] == 1], strict=True
        )
    ]


@pytest.mark.parametrize("name", cases(sorted(games()), ("fan-tan",)))
def test_every_game_is_reviewed(name: str) -> None:
    m = play(Match(name, seed=5), 12, "random")
    seat = next(act.seat for act in m.moves if not act.forced)
    decisions: list[Decision] = []
    result = review(m, seat, FEW, each=decisions.append)
    acts = [question.act for question in questions(m, seat)]
    # a set is one decision, and its last step is not told
    assert " ".join(one.move for one in result.decisions) == " ".join(act.move for act in acts if act.move != "done")
    assert {(one.deal, one.number) for one in result.decisions} <= {(act.deal, act.number) for act in acts}
    assert [(one.deal, one.number, one.move) for one in decisions] == [(act.deal, act.number, act.move) for act in acts]
    for one in result.decisions:
        assert one.loss >= 0.0
        assert one.error >= 0.0
        assert np.isfinite([one.estimate, one.best_estimate, one.scale]).all()
        assert one.grade in GRADES
        assert (one.move == one.best) == (one.grade == BEST)
    assert sum(result.grades.values()) == len(result.decisions)


def test_forced_moves_are_no_decisions() -> None:
    m = play(Match("fan-tan", 4, seed=2), 40)
    for seat in range(4):
        numbers = {(question.act.deal, question.act.number) for question in questions(m, seat)}
        assert not numbers & {(act.deal, act.number) for act in m.moves if act.forced or act.seat != seat}


def test_what_there_is_not_is_refused() -> None:
    m = Match("fan-tan", 3, seed=1)
    for seat, deal, iterations, code in (
        (3, None, FEW, "options/seats"),
        (-1, None, FEW, "options/seats"),
        (0, 2, FEW, "record/deal"),
        (0, None, 99, "options/range"),
    ):
        with pytest.raises(OptionError) as refused:
            review(m, seat, iterations, deal=deal)
        assert refused.value.code == code
    with pytest.raises(RecordError):
        review("cardtable = 1", 0)
    empty = review(Match("fan-tan", 3, seed=1, auto=False), 0, FEW)
    assert (empty.decisions, empty.loss, set(empty.grades.values())) == ((), 0.0, {0})


# Nothing hidden


def twins() -> tuple[Match, Match]:
    """Two matches, with other seeds, in which the seats 2 and 3 have exchanged two kings; seat 0 cannot see it, nor
    what comes after.
    """
    m = Match("fan-tan", 4, seed=50)
    hands = [m.view(seat).hand for seat in range(4)]
    assert "KS" in hands[2]
    assert "KD" in hands[3]
    other = [[{"KS": "KD", "KD": "KS"}.get(card, card) for card in hand] for hand in hands]
    packs = [" ".join(card for row in zip(*dealt, strict=True) for card in row) for dealt in (hands, other)]
    first, second = (
        Match.from_pack(pack, "fan-tan", 4, seed=seed, dealer=m.dealer) for pack, seed in zip(packs, "ab", strict=True)
    )
    assert first.view(0).hand == second.view(0).hand
    assert first.view(2).hand != second.view(2).hand
    return play_out(first, 0), play_out(second, 1)


def play_out(m: Match, after: int) -> Match:
    """Seat 0 lays what is last among the cards it may, which is rarely the best; later, in one of the matches, what is
    first.
    """
    while m.deal == 1 and not m.over:
        seat = m.actors[0]
        late = len(m.deals[0].acts) > 20
        m.play(m.legal()[0 if late and after else -1] if seat == 0 else bot("medium", 1).choose(m.view(seat)))
    return m


def test_a_review_knows_only_what_the_seat_knew() -> None:
    """As long as the seat cannot tell two matches apart its decisions are judged alike, whatever the others hold and
    whatever comes after.
    """
    a, b = twins()
    asked = [tuple((hash_of(question.state, 0), question.act.move) for question in questions(m, 0, 1)) for m in (a, b)]
    alike = next(k for k, (one, other) in enumerate(zip(*asked, strict=False)) if one != other)
    assert alike >= 3, "the matches do not part at once"
    ours, theirs = (review(m, 0, 1000, deal=1).decisions for m in (a, b))
    assert any(one.loss for one in ours[:alike]), "something is to be judged"
    for one, other in zip(ours[:alike], theirs[:alike], strict=True):
        assert replace(one, worst=False) == replace(other, worst=False)
    assert ours[alike] != theirs[alike]


def test_a_question_holds_nothing_hidden() -> None:
    m = play(Match("fan-tan", 4, seed=4), 30)
    for seat in range(4):
        for question in questions(m, seat):
            hands = [int(hand) for hand in question.state.hands[:4]]
            assert hands[seat]
            assert not any(hands[:seat] + hands[seat + 1 :])
            assert not question.state.rng.any()


# The command


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A record saved by a person in seat 2."""
    m = play(Match("fan-tan", 4, seed=4), 60, "random")
    record = m.record()
    type(record)({**record.keys, "table": {"seat": 2, "bot": "medium"}}).save(tmp_path / "m.toml")
    return tmp_path / "m.toml"


def test_the_command_tells_each_decision(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "review", str(file), "--iterations", "100")
    told = json.loads(call(capsys, "review", str(file), "--iterations", "100", "--json")[1])
    assert code == 0
    assert out.startswith("Fan Tan: what you decided, judged by what you knew")
    assert "deal 1: " in out
    assert "seat" not in out
    assert told["seat"] == 2, "the seat that the record names"
    assert len(told["decisions"]) == sum(told["grades"].values()) > 5
    assert f"{len(told['decisions'])} decisions: " in out
    lines = [line for line in out.splitlines() if any(f"  {grade}" in line for grade in GRADES)]
    assert len(lines) >= len(told["decisions"])
    assert (
        sum(line.startswith(" ▸") for line in out.splitlines()) == sum(one["worst"] for one in told["decisions"]) <= 3
    )
    assert (
        json.loads(call(capsys, "review", str(file), "--seat", "0", "--deal", "1", "--iterations", "100", "--json")[1])[
            "seat"
        ]
        == 0
    )


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["--seat", "4"], 2, "seat 4: the seats are 0 to 3"),
        (["--seat", "x"], 2, "not a valid integer"),
        (["--deal", "99"], 2, "the match has"),
        (["--iterations", "1"], 2, "range"),
    ],
)
def test_what_the_command_refuses(
    words: list[str], code: int, text: str, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exit_code, out, err = call(capsys, "review", str(file), *words)
    assert (exit_code, out) == (code, "")
    assert text in " ".join(err.split())


def test_as_many_iterations_as_half_a_second_is_enough_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    m = play(Match("fan-tan", 4, seed=2), 6)
    m.record().save(tmp_path / "m.toml")
    assert 1000 <= json.loads(call(capsys, "review", str(tmp_path / "m.toml"), "--json")[1])["iterations"] <= ITERATIONS
    monkeypatch.setattr("cardtable.cli.commands.review.SECONDS", 0.0)
    assert "Up to 100 deals were played out" in call(capsys, "review", str(tmp_path / "m.toml"))[1]


def test_nothing_to_decide_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Match("fan-tan", 3, seed="aside", auto=False).record().save(tmp_path / "m.toml")
    code, out, _ = call(capsys, "review", str(tmp_path / "m.toml"))
    assert code == 0
    assert "Ann had nothing to decide." in out


# With all cards seen


@pytest.mark.exhaustive
def test_what_was_best_with_all_cards_seen_stands_beside_the_grade() -> None:
    """Domino: it is what `ending` finds in the whole state; the honest part of the review stays as it is."""
    m = play(Match("domino-fan-tan", seed=5), 12)
    honest, both = review(m, 0, FEW), review(m, 0, FEW, open_cards=True)
    assert all(one.seen is None and one.as_dict()["seen"] is None for one in honest.decisions)
    assert [replace(one, seen=None) for one in both.decisions] == list(honest.decisions)
    judged = [one for one in both.decisions if one.seen]
    assert judged
    for one in judged:
        assert one.seen is not None
        assert one.seen.loss >= 0.0
        assert (one.seen.loss == 0.0) == (one.seen.best == one.move)
        whole = Match.from_record(m.record().before(one.deal, one.number))
        result = whole.ending(seconds=None, states=SEEN_STATES)
        assert (result.opponents, result.loss[one.move]) == (one.seen.opponents, one.seen.loss)
        assert json.loads(json.dumps(one.as_dict()))["seen"]["best"] == one.seen.best


@pytest.mark.exhaustive
def test_the_command_names_it_when_it_is_asked_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "domino.toml"
    play(Match("domino-fan-tan", seed=5), 12).record().save(file)
    arguments = ("review", str(file), "--seat", "0", "--iterations", "100")
    assert "all cards" not in call(capsys, *arguments)[1].lower()
    output = call(capsys, *arguments, "--open-cards")[1]
    assert (
        "All cards: the best move for somebody who sees all cards, including the hidden ones; it is not graded."
        in " ".join(output.split())
    )
    decisions = json.loads(call(capsys, *arguments, "--open-cards", "--json")[1])["decisions"]
    assert any(one["seen"] for one in decisions)
