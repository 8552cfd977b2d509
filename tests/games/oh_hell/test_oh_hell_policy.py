"""What the heuristic of Oh Hell! counts: cards by strength, masters, expected scores, learnt weights."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from cardtable import Match
from cardtable.base.cards import card_text, parse_set
from cardtable.games.oh_hell import policy
from cardtable.games.oh_hell.policy import TRICKS, WEIGHTS
from cardtable.kernel import cache
from tests.support.games.oracle import far


def by_hand(cards: int) -> set[tuple[int, int]]:
    """Suits and strengths (the two is 0, the ace 12) of cards."""
    return {(k // 13, (k % 13 + 12) % 13) for k in range(52) if cards >> k & 1}


@pytest.mark.parametrize("seed", range(20))
def test_cards_are_counted_by_strength(seed: int) -> None:
    dice = random.Random(seed)
    deck = [1 << k for k in range(52)]
    dice.shuffle(deck)
    hand, unseen = sum(deck[:10]), sum(deck[10 : 10 + dice.randint(0, 42)])
    ordered = int(policy.by_strength(hand))
    assert by_hand(hand) == {(k // 13, k % 13) for k in range(52) if ordered >> k & 1}
    best = {suit: max((rank for of, rank in by_hand(unseen) if of == suit), default=-1) for suit in range(4)}
    masters = {(suit, rank) for suit, rank in by_hand(hand) if rank > best[suit]}
    mine = int(policy.masters(ordered, policy.by_strength(unseen)))
    assert {(k // 13, k % 13) for k in range(52) if mine >> k & 1} == masters


def test_scores_are_expected_as_the_rules_pay_them() -> None:
    """OH-14, OH-15: ten points for each trick of a bid that is made (ten for none), else ten off for each too many
    or too few. With no variance the tricks are known.
    """
    cells = policy.CELLS_PER_TRICK
    for tricks in range(12):
        scores = policy.SCORES[cells * tricks, 0]
        assert [scores[bid] for bid in range(13)] == [
            100 * max(bid, 1) if bid == tricks else -100 * abs(bid - tricks) for bid in range(13)
        ]
    coin = policy.SCORES[cells * 3 + cells // 2, cells]  # as likely three as four
    assert coin[4] > coin[3] > coin[0]


def test_an_expected_score_is_that_of_the_normal_distribution() -> None:
    """Seed 1; others would fail with the chance `oracle.CHANCE`."""
    mean, variance, many = 2.5, 1.25, 200_000
    drawn = np.rint(np.random.RandomState(1).normal(mean, np.sqrt(variance), many)).clip(0, 13)
    cells = policy.CELLS_PER_TRICK
    scores = policy.SCORES[int(cells * mean), int(cells * variance)]
    for bid in range(7):
        paid = np.where(drawn == bid, max(bid, 1), -np.abs(drawn - bid))
        assert scores[bid] == pytest.approx(100 * paid.mean(), abs=100 * far(14) * paid.std() / np.sqrt(many) + 1)


def test_weights_have_the_shape_that_the_policy_reads() -> None:
    assert WEIGHTS.shape == (policy.SITUATIONS, policy.FIGURES)
    assert TRICKS.shape == (27, 4)
    assert np.abs(WEIGHTS.astype(int)).max() * 16 < policy.MOST


def test_other_weights_are_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules freeze them, so the key of the cache depends on their file."""
    read = Path.read_bytes
    before = cache._key.__wrapped__()
    monkeypatch.setattr(Path, "read_bytes", lambda path: b"" if path.suffix == ".npy" else read(path))
    assert cache._key.__wrapped__() != before


@pytest.mark.parametrize(
    ("hand", "least", "most"),
    [("AS KS AH KH AD KD AC KC QS QH", 7, 10), ("2S 3S 4S 2H 3H 4H 2D 3D 2C 3C", 0, 1)],
    ids=["aces and kings", "twos and threes"],
)
def test_a_good_hand_bids_much_and_a_poor_one_little(hand: str, least: int, most: int) -> None:
    m = Match("oh-hell", seed=1, seats=4)
    s, seat, moves = m._s.copy(), m.actors[0], np.arange(policy.BID, policy.BID + 11)
    s.hands[seat] = parse_set(hand)
    s.upcard = next(k for k in range(52) if not s.hands[seat] >> k & 1)
    assert least <= policy.bid(s, seat, moves, len(moves), TRICKS) - policy.BID <= most


def choice(hand: str, trick: str, need: int) -> str:
    """The card that the last of four players chooses where spades are trump and the others each need a trick."""
    held, laid = len(hand.split()), len(trick.split())
    others = [f"*{held - (seat >= 4 - laid)}" for seat in (1, 2, 3)]
    m = Match.from_position(
        {
            "game": "oh-hell",
            "options": {"dealer_rule": "off"},
            "hands": [hand, *others],
            "upcard": "2S",
            "dealer": 3,
            "turn": 0,
            "bids": [need, 1, 1, 1],
            "trick": trick,
        },
        seed=1,
        auto=False,
    )
    moves = [m._code(move, 0) for move in m.legal()]
    return card_text(int(policy.heuristic(m._s, 0, np.array(moves), len(moves))))


@pytest.mark.parametrize(
    ("hand", "trick", "need", "card"),
    [
        ("AS 3H KH", "", 1, "3H"),
        ("AS 3H KH", "5H", 1, "3H"),
        ("AS 3H KH", "5H 7H QH", 1, "3H"),
        ("AS KD 3D", "", 1, "3D"),
        ("AS QC 4C 9C", "6C", 1, "4C"),
        ("AS AH KH 3H 2D", "4H 6H", 1, "3H"),
        ("AS KS AH 3H", "", 2, "3H"),
        ("AS KS AH 3H", "5H 6H 7H", 2, "3H"),
        ("AS KH 3H", "5D 9D TD", 1, "KH"),
        ("AS KH 3H", "5D", 1, "KH"),
    ],
    ids=lambda given: str(given) or "lead",
)
def test_high_cards_are_shed_where_sure_trumps_bring_the_tricks(hand: str, trick: str, need: int, card: str) -> None:
    """The ace of trumps wins a trick whenever it is played; any other trick would be one too many."""
    assert choice(hand, trick, need) == card


@pytest.mark.parametrize(
    ("hand", "trick", "need", "card"),
    [
        ("AS 3H KH", "5H 7H QH", 2, "KH"),
        ("AS 3H KH", "5H 7H AH", 2, "3H"),
        ("KH AH", "5H 7H QH", 2, "KH"),
        ("KH 2H 3C", "QH AH 5H", 0, "KH"),
        ("AD 2C 4D", "QH 3H", 0, "AD"),
    ],
    ids=str,
)
def test_cards_that_are_needed_are_kept_and_others_shed(hand: str, trick: str, need: int, card: str) -> None:
    """One trick more than sure trumps bring is won where it can be, and by the cheapest card; who needs none sheds the
    highest card that loses.
    """
    assert choice(hand, trick, need) == card
