"""The order in which a hand is sorted: each game's, for everybody who draws one."""

from __future__ import annotations

import pytest

from cardtable import Match
from cardtable.base.cards import RANKS
from cardtable.rules import catalog
from cardtable.rules.zones import BY_RANK, BY_SUIT, Hand, HandOrder


def hand_of(m: Match) -> Hand:
    """The hand of the seat to act, as its player sees it."""
    (seat,) = m.actors[:1]
    return next(zone for zone in m.view(seat).zones if isinstance(zone, Hand) and zone.seat == seat)


def arranged(order: HandOrder, cards: str) -> str:
    dealt = tuple(cards.split())
    return " ".join(card for _, card in Hand("hand", (0,), dealt, len(dealt), order=order).in_order())


@pytest.mark.parametrize(
    ("game", "cards", "wanted"),
    [
        ("fan-tan", "KD AD 2S KS 3C 5H", "2S KS 5H 3C AD KD"),
        ("play-or-pay", "KS AS", "AS KS"),
        ("michigan", "AS KS 2D AD 3H", "KS AS 3H 2D AD"),
        ("thirty-one", "AS TS 9S", "9S TS AS"),
        ("busca", "2S 3S AS KS JS 7S 4S 4H", "4S 7S JS KS AS 2S 3S 4H"),
        ("crazy-eights", "8S 9S 7S 8D KC", "7S 9S KC 8S 8D"),
        ("i-doubt-it", "KS 2S KD 2H AC", "AC 2S 2H KS KD"),
        ("cassino", "KS 2S KD 2H AC", "AC 2S 2H KS KD"),
        ("scopa", "KS 2S KD 2H AC", "AC 2S 2H KS KD"),
    ],
)
def test_a_hand_is_sorted_as_its_game_ranks_the_cards(game: str, cards: str, wanted: str) -> None:
    assert arranged(hand_of(Match(game, seed=1, auto=False)).order, cards) == wanted


@pytest.mark.parametrize("seed", range(12))
def test_trumps_stand_last_with_the_ace_high_and_colours_alternate(seed: int) -> None:
    m = Match("oh-hell", 4, seed=seed)
    (trump,) = (zone.cards[0] for zone in m.view(None).zones if zone.name == "trump")
    order = hand_of(m).order
    assert order.ranks == "23456789TJQKA"
    assert trump
    assert order.suits[-1] == trump[1]
    assert [suit in "HD" for suit in order.suits] in ([True, False] * 2, [False, True] * 2)


def test_cards_face_down_and_jokers_have_a_place() -> None:
    hand = Hand("hand", (0,), ("KS", None, "X1", "2S"), 4)
    assert hand.in_order() == [(2, "X1"), (3, "2S"), (0, "KS")]
    assert arranged(BY_RANK, "KS X2 2S") == "X2 2S KS"


@pytest.mark.parametrize("name", catalog.games())
def test_every_order_has_every_rank_that_is_dealt(name: str) -> None:
    m = Match(name, seed=2)
    for seat in range(m.seats):
        for zone in m.view(seat).zones:
            if isinstance(zone, Hand):
                assert {card[0] for card in zone.cards if card} <= set(zone.order.ranks) <= set(RANKS)
                assert sorted(zone.order.suits) == sorted("SHDC")


def test_the_order_is_sent_with_open_cards_only_and_only_if_it_is_not_the_usual_one() -> None:
    for game, by in (("i-doubt-it", "rank"), ("fan-tan", None)):
        zones = Match(game, 3, seed=1, auto=False).view(0).zones
        hands = [zone.seen_by(0) for zone in zones if isinstance(zone, Hand)]
        assert [hand.order and hand.order["by"] for hand in hands] == [by, None, None]
    assert "order" not in Hand("hand", (0,), ("2S",), 1, order=BY_SUIT).as_dict()
    assert "order" not in Hand("hand", (0,), (None,), 1, order=BY_RANK).as_dict()
