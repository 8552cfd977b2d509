"""Where a house rule shows that two deals at random do not reach: near the end of a match, in rare hands and in rare
packs.

`story.py` plays these besides random deals, for the houses that differ by that one rule. `SILENT` lists the rules
that change nothing in the rules of play; what they do change is checked in test_kernel.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from cardtable.base.cards import RANKS, parse_card, rank_of
from cardtable.match.match import Match
from cardtable.rules import contract
from cardtable.testing.houses import House


@dataclass(frozen=True)
class Aim:
    """One situation: a position, or a pack to deal from, or neither (a fresh match), played on by a policy."""

    keys: Callable[[House], Mapping[str, Any]] | None = None
    pack: Callable[[House, list[int]], list[int]] | None = None
    given: Mapping[str, Any] = field(default_factory=dict)  #: further house rules that it takes
    policy: str = "random"
    moves: int = 120  #: most moves of a deal
    deals: int = 1
    seats: int = 0  #: another number of seats, where those of the house cannot reach it
    seed: str = ""  #: another one for each of several aims that differ by nothing else

    def begin(self, house: House, seed: str) -> Any:
        seed += self.seed
        options = {**house.options, **self.given}
        seats = self.seats or house.seats
        if self.keys:
            keys = {
                "game": house.game,
                "rules": house.preset,
                "seats": seats,
                "options": options,
                **self.keys(house),
            }
            return Match.from_position(keys, seed=seed, auto=False)._s.copy()
        s = House(house.game, house.preset, seats, tuple(options.items())).open(seed)
        cards = np.zeros(112, np.int64)
        if self.pack is None:
            contract.next_deal(s, cards)
            return s
        n = int(contract.pack(s, cards))
        cards[:n] = self.pack(house, [int(card) for card in cards[:n]])
        contract.deal(s, cards)
        return s


def _busca_last_trick(won: list[int], tricks: list[int], scores: list[int]) -> Aim:
    """Five players before their last trick, which seat 0 wins; `won`: thirds of a point."""
    keys = {
        "hands": ["7S", "6S", "5S", "4S", "4H"],
        "turn": 0,
        "won": won,
        "tricks": tricks,
        "scores": scores,
        "dealer": 1,
    }
    return Aim(lambda _: keys)


def _shown(hands: list[str], drawn: bool = False, markers: int = 3) -> Callable[[House], Mapping[str, Any]]:
    """Thirty-One at the end of a hand: seat 1 has knocked, and seat 0 shows 31 or has drawn for the last time."""
    keys = {"knocker": 1, "turn": 0} | ({"drawn": "stock"} if drawn else {})
    return lambda house: {"hands": hands[: house.seats], "markers": [markers] * house.seats, **keys}


def _up_front(cards: list[int], first: int, wanted: Callable[[int], bool]) -> list[int]:
    """The pack with all wanted cards from place `first` on."""
    chosen = [card for card in cards if wanted(card)]
    rest = [card for card in cards if not wanted(card)]
    return [*rest[:first], *chosen, *rest[first:]]


def _wild_turned_up(house: House, cards: list[int]) -> list[int]:
    dealt = house.ruleset().options.as_dict()["hand_size"] * house.seats
    eight = cards.index(parse_card("8C"))
    rest = cards[:eight] + cards[eight + 1 :]
    return [*rest[:dealt], cards[eight], *rest[dealt:]]


def _two_hands(house: House) -> list[str]:
    return ["QS KS", "AS JS"] if house.preset == "pocha" else ["8S 9S", "TS JS"]


def _oh_hell_level(house: House) -> dict[str, Any]:
    """The last deal, of one card: two players lead, both with 50 points and a bid of none, which they take."""
    exceed = house.ruleset().options.as_dict()["dealer_rule"] == "exceed"
    return {
        "hands": ["2S", *(("4S", "5S", "6S", "7S") if house.preset == "pocha" else ("3S", "4S", "5S", "6S"))],
        "upcard": "2H",
        "dealer": 4,
        "deal": 27 if house.preset == "pocha" else 19,
        "bids": [0, 0, 0, 0, 2 if exceed else 0],
        "scores": [50, 50, 0, 0, 0],
    }


def _scopa_end(_: House) -> dict[str, Any]:
    """The last card of each of four; seats 0 and 2 have 10 points and most of what counts."""
    theirs = "KH QH JH 2H 3H 4H"
    ours = [rank + suit for suit in "SDC" for rank in "A234567JQK" if rank + suit not in ("4C", "5C", "6C", "2C")]
    sweeps = "0 7C, 0 7S, 2 6S, 0 5S"
    return {
        "hands": ["4C", "5C", "6C", "2C"],
        "piles": [" ".join(ours), theirs],
        "sweeps": sweeps,
        "last": 0,
        "scores": [10, 8, 10, 8],
        "unlisted": "dead",
    }


def _scopa_kings(house: House, cards: list[int]) -> list[int]:
    """The pack with all kings on the first table."""
    each = {"threes": 3, "nine": 9, "ten": 10}[house.ruleset().options.as_dict()["deal"]]
    return _up_front(cards, each * house.seats, lambda card: rank_of(card) == 12)


def _scopa_aces(_: House) -> dict[str, Any]:
    """Aces for a table with an ace, and then for an empty one."""
    hands = ["AS", "5C", "2C", "AC"]
    return {"hands": hands, "board": "AH 7D", "dealer": 1, "turn": 0, "unlisted": "dead"}


def _scopa_first_aces(_: House, cards: list[int]) -> list[int]:
    """The pack in which each of four players gets an ace."""
    return _up_front(cards, 0, lambda card: rank_of(card) == 0)


def _scopa_far(house: House) -> dict[str, Any]:
    """The same with all points still to be made."""
    return _scopa_end(house) | {"scores": [0] * 4}


def _scopa_target(house: House) -> dict[str, Any]:
    """The same, for 31 points with those with which 21 would be reached."""
    return _scopa_end(house) | ({"scores": [20, 8, 20, 8]} if ("target", "31") in house.given else {})


def _spider_short(house: House) -> dict[str, Any]:
    """Six cards in the columns, four of which are empty, and two rounds of stock; for a deal over gaps at any time
    sixteen cards and one round.
    """
    runs, suit = {
        "four-suits": ("S S H H D D", "C"),
        "two-suits": ("S S S S H H", "H"),
        "one-suit": ("S S S S S S", "S"),
    }[house.preset]
    at_any_time = ("deal_when_short", "any") in house.given
    columns = ("A2K", "42J", "649", "T67", "T5", "A3") if at_any_time else "KJ9753"
    return {"columns": [*(" ".join(rank + suit for rank in column) for column in columns), *[""] * 4], "runs": runs}


def _pirate_at_rest(quiet: int, **given: Any) -> Aim:
    """Nobody lays a card for more than a number of ticks."""
    return Aim(lambda _: {"quiet": quiet}, given=given, policy="first", moves=20)


ACES = {"capture": "rank", "aces": "take_all", "deal": "ten"}  #: house rules of Scopa
#: (game, option) -> where its values show; "" stands for every game
AIMS: dict[tuple[str, str], tuple[Aim, ...]] = {
    # who deals at random is one of the seats that may be named
    ("", "first_dealer"): tuple(Aim(seed=seed, moves=1) for seed in "abc"),
    ("busca", "limit"): (Aim(deals=30),),
    ("busca", "elimination"): (Aim(deals=30),),
    ("busca", "cappotto"): (
        _busca_last_trick([28, 1, 1, 1, 1], [3, 1, 1, 1, 1], [0] * 5),
        _busca_last_trick([32, 0, 0, 0, 0], [3, 1, 1, 1, 1], [0] * 5),
    ),
    ("busca", "tie"): (_busca_last_trick([20, 0, 0, 6, 6], [3, 0, 0, 2, 2], [30, 10, 10, 20, 20]),),
    ("cassino", "target"): (
        Aim(
            lambda _: {
                "hands": ["2C", "3C"],
                "piles": ["AS AH 2S TD", "KD"],
                "last": 0,
                "scores": [9, 5],
                "turn": 0,
                "unlisted": "dead",
            }
        ),
    ),
    ("cassino", "face_builds"): (
        Aim(lambda _: {"hands": ["KS KH", "2C 3C"], "board": "KD", "turn": 0, "unlisted": "dead"}),
    ),
    ("crazy-eights", "starter_wild"): (Aim(pack=_wild_turned_up),),
    ("i-doubt-it", "max_set"): (Aim(policy="first", moves=40),),
    ("i-doubt-it", "final_challenge"): (
        Aim(lambda house: {"hands": ["AS", *(f"{RANKS[k]}S {RANKS[k]}H" for k in range(1, house.seats))], "turn": 0}),
    ),
    ("oh-hell", "dealer_rule"): (
        Aim(
            lambda house: {
                "hands": ["2S 3S", "4S 5S", "6S 7S", *_two_hands(house)],
                "upcard": "2H",
                "dealer": 4,
                "turn": 4,
                "bids": [0, 0, 0, 0, -1],
            }
        ),
    ),
    ("oh-hell", "tiebreak"): (Aim(_oh_hell_level, deals=2),),
    # an exact bid of none, and of one
    ("oh-hell", "bonus_points"): (Aim(_oh_hell_level, given={"scoring": "bonus_minus"}),),
    ("oh-hell", "zero"): (Aim(_oh_hell_level),),
    ("oh-hell", "trump"): (Aim(),),
    ("oh-hell", "max_cards"): (Aim(given={"plan": "down"}, moves=30),),
    ("oh-hell", "must"): (Aim(given={"plan": "down"}),),
    ("oh-hell", "top_trump"): (Aim(given={"pack": "40", "max_cards": 10, "plan": "down"}, seats=4),),
    ("oh-hell", "plan"): (Aim(given={"max_cards": 3}, deals=6),),
    ("pirate", "form"): (_pirate_at_rest(155),),
    ("pirate", "stall_seconds"): (_pirate_at_rest(395, form="live"),),
    ("pirate", "tie_window_ms"): (_pirate_at_rest(480, form="live"),),
    ("pirate", "target"): (
        Aim(
            lambda _: {
                "wastes": ["KC", ""],
                "fresh": [1, 0],
                "ships": ["", "", "", " ".join(f"{rank}C" for rank in RANKS[:12])],
                "gone": [2, 2, 1, 0],
                "captured": [2, 0],
                "sunk": 3,
                "tick": 9,
                "quiet": 0,
            },
            policy="last",
            moves=20,
        ),
    ),
    ("scopa", "target"): (Aim(_scopa_target),),
    ("scopa", "counting"): (Aim(_scopa_end),),
    ("scopa", "ace_on_table"): (Aim(_scopa_aces, given=ACES),),
    ("scopa", "ace_on_empty"): (Aim(_scopa_aces, given=ACES),),
    ("scopa", "first_ace"): (Aim(pack=_scopa_first_aces, given=ACES, policy="last", moves=2),),
    ("scopa", "re_bello"): (Aim(_scopa_far),),
    ("scopa", "napola"): (Aim(_scopa_far),),
    ("scopa", "king_misdeal"): (Aim(pack=_scopa_kings, moves=8),),
    ("spider", "deal_when_short"): (Aim(_spider_short, moves=30),),
    ("thirty-one", "odd_card"): (
        Aim(
            lambda house: {
                "hands": ["2S 3S KH 2D", "9S TD 5C", "4S 5S 2H", "JS QD KC", "QS JD TC"][: house.seats],
                "drawn": "stock",
                "knocker": 1,
                "turn": 0,
            },
            given={"pack": "52"},
            policy="last",
        ),
    ),
    ("thirty-one", "blitz_penalty"): (
        Aim(
            lambda house: {
                "hands": ["AS KS QS", "9S TD 5C", "4S 5S 2H", "JS QD KC", "JH JD TC"][: house.seats],
                "turn": 0,
            },
            given={"pack": "52"},
            policy="last",
            moves=3,
        ),
    ),
    ("thirty-one", "blitz_loses"): (
        Aim(
            _shown(["AS KS QS", "9S TD 5C", "4S 5S 2H", "JS QD KC", "JH JD TC"]),
            given={"pack": "52", "blitz_penalty": "all_others"},
            policy="last",
            moves=3,
        ),
    ),
    ("thirty-one", "free_life"): (
        Aim(
            _shown(["9S TD 5C 3C", "AS KS 2S", "4S 5S 2H", "JS QD KC", "JH JD TC"], drawn=True, markers=1),
            given={"pack": "52"},
            policy="last",
            moves=1,
        ),
    ),
    ("thirty-one", "threes_tie"): (
        Aim(
            _shown(["KS KH KD 2C", "QS QH QD", "7S 7H 7D", "8S 8H 8D", "6S 6H 6D"], drawn=True),
            given={"pack": "52", "three_of_a_kind": "yes"},
            policy="last",
            moves=1,
        ),
    ),
    ("thirty-one", "three_of_a_kind"): (
        Aim(
            _shown(["2S 2H 2D 3C", "QS QH KD", "7S 7H 6D", "8S 8H 9D", "6S 6H JD"], drawn=True),
            given={"pack": "52"},
            policy="last",
            moves=1,
        ),
    ),
    ("thirty-one", "knock_tie"): (
        Aim(
            _shown(["9S 7S 3D 4H", "9D 7D 2C", "KS QS 5H", "KC QC 3H", "KD QD 8H"], drawn=True),
            given={"pack": "52"},
            policy="last",
            moves=1,
        ),
    ),
    ("thirty-one", "knock_loses"): (
        Aim(
            _shown(["9S 7S 3D 4H", "2D 3S 4C", "KS QS 5H", "KC QC 3H", "KD QD 8H"], drawn=True),
            given={"pack": "52"},
            policy="last",
            moves=1,
        ),
    ),
}


def shown(zone: str, note: str) -> Callable[[House, House], bool]:
    """A check that two houses differ in what a zone notes."""

    def differ(one: House, other: House) -> bool:
        notes = [
            Match(house.game, house.seats, house.preset, seed=1, **house.options).view().zone(zone).notes.get(note)
            for house in (one, other)
        ]
        return bool(notes[0] != notes[1])

    return differ


def held(one: House, other: House) -> bool:
    """A check that the arbiter of a live game holds a draw that covers a card for another time (PIL-3)."""
    from cardtable.games.pirate.state import DRAW_CARD
    from cardtable.games.pirate.timing import PirateArbiter

    due = []
    for house in (one, other):
        lanes = ["", "", "", "AC 2C 3C KC QC JC TC 9C 8C"]
        keys = {
            "stocks": ["", "6C 5C 4C"],
            "wastes": ["", "7C"],
            "fresh": [0, 1],
            "ships": lanes,
            "gone": [2, 2, 2, 1],
            "captured": [3, 3],
            "sunk": 1,
        }
        options = {**house.options, "form": "live"}
        s = Match.from_position(
            {"game": "pirate", "options": options, "tick": 99, "quiet": 0, **keys}, seed=1, auto=False
        )._s
        arbiter = PirateArbiter(s, 0, lambda notice: None)
        arbiter.intent(1, DRAW_CARD, 200)
        due.append(arbiter.due)
    return due[0] != due[1]


#: (game, option) -> the check of what it changes; "" stands for every game
SILENT: dict[tuple[str, str], Callable[[House, House], bool]] = {
    ("", "layout_side"): shown("row-S", "side"),
    ("pirate", "reveal_ms"): held,
}


def aimed_at(house: House) -> tuple[Aim, ...]:
    """The aims of a house: those of the house rules that it names."""
    return tuple(aim for name, _ in house.given for game in (house.game, "") for aim in AIMS.get((game, name), ()))
