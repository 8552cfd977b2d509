"""Questions that a card player asks and no grid of house rules answers: measured here, move by move if need be."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cardtable.base.cards import RANKS, card_text, parse_cards, rank_of
from cardtable.games.michigan import state as michigan
from cardtable.lab.intervals import around, error_of
from cardtable.rules import catalog, contract
from findings import plan
from findings.measure import Data, deals, decisions, effect, rounded, run, told
from findings.plan import Plan

HIGH = sum(1 << card for card in range(52) if rank_of(card) in (0, 9, 10, 11, 12))  #: tens, courts and aces
FIXED: Mapping[str, Any] = {"first_dealer": "seat 3", "deals": 1}  #: seat 0 is the eldest in every deal, seat 3 deals
FEWEST = 30  #: deals without which a row of a table is not told
BY_HAND = {"command": "python tools/findings.py questions"}


def mean(values: Sequence[float]) -> Data:
    """The mean of independent deals, with its interval."""
    found = np.asarray(values, np.float64)
    return _kept("mean", float(found.mean()), error_of(found), len(found)) | {
        "deviation": rounded(float(found.std(ddof=1))),
        "deals": len(found),
    }


def _kept(name: str, middle: float, error: float, clusters: int) -> Data:
    """A figure with its interval, as it is kept."""
    found = around(middle, error, clusters)
    kept = {name: middle, "low": found.low, "high": found.high, "error": error}
    return {name: rounded(value) for name, value in kept.items()}


def clustered(values: ArrayLike, clusters: ArrayLike) -> Data:
    """The mean of figures of which those of one cluster, a match or a deal, may hang together."""
    found, of = np.asarray(values, np.float64), np.unique(clusters, return_inverse=True)[1]
    many, middle = int(of.max()) + 1, float(found.mean())
    square = float((np.bincount(of, found - middle) ** 2).sum())
    error = math.sqrt(square * many / (many - 1)) / len(found) if many > 1 else math.inf
    return _kept("mean", middle, error, many) | {"deviation": rounded(float(found.std(ddof=1))), "deals": len(found)}


def finish(game: str, s: Any) -> Any:
    """Play a deal to its end, and return the payoff of each seat."""
    for _ in decisions(game, s):
        pass
    out = np.zeros(contract.MAX_SEATS)
    contract.payoff(s, out)
    return out


def many(size: float, usual: int) -> int:
    """How many deals are played at this size."""
    return max(60, round(usual * size))


# Michigan


def widow(size: float) -> Data:
    """What the dealer gets with and without the widow, and what it is worth in hand to the dealer and to eldest."""
    count = many(size, 40_000)
    kept: Data = {}
    for name, given, grid in (
        ("exchange", {"auction": "none"}, {"widow": ["dead", "exchange"]}),
        ("auction", {}, {"auction": ["none", "english"]}),
    ):
        asked = Plan("michigan", count, "michigan", 4, {**FIXED, **given}, grid=grid, measures=("payoff",))
        found, made = run(asked)
        without, cell = (cell.label for cell in found.cells)
        payoffs = [f"payoff_{p}" for p in range(4)]
        kept[name] = made | {each: effect(found.compare(without, cell, measure=each)) for each in payoffs}
    worth: dict[str, dict[int, list[float]]] = {"dealer": defaultdict(list), "eldest": defaultdict(list)}
    looked = many(size, 3000)
    for s in deals("michigan", "michigan", looked, seats=4, **FIXED):
        for who, seat in (("dealer", 3), ("eldest", 0)):
            cards = int(s.hands[seat]) & (HIGH | sum(1 << int(card) for card in s.rules.money[: s.rules.m]))
            worth[who][cards.bit_count()].append(_widow_worth(s, seat))
    kept["hands"] = (
        {"deals": looked}
        | BY_HAND
        | {
            who: {str(high): mean(found) for high, found in sorted(by.items()) if len(found) >= FEWEST}
            for who, by in worth.items()
        }
    )
    return kept


def _widow_worth(s: Any, seat: int) -> float:
    """How many chips more a seat gets in this deal if it has the widow than if nobody has it; a bid is not counted."""
    paid = []
    for taken in (False, True):
        t = s.copy()
        if seat == int(t.dealer):
            contract.play(t, seat, michigan.EXCHANGE if taken else michigan.KEEP)
        else:
            contract.play(t, int(t.dealer), michigan.KEEP)
        while int(t.phase) == michigan.AUCTION:
            turn = int(t.turn)
            bids = taken and turn == seat and int(t.high) == 0
            contract.play(t, turn, michigan.BID + 1 if bids else michigan.PASS)
        paid.append(float(finish("michigan", t)[seat]) + (1.0 if taken and seat != int(s.dealer) else 0.0))
    return paid[1] - paid[0]


def boodle(size: float) -> Data:
    """What a seat gets that puts its four chips on one card while the others spread theirs, less than if it spread."""
    count = many(size, 3000)
    gains: dict[str, list[float]] = defaultdict(list)
    for s in deals("michigan", "boodle", count, seats=4, **FIXED):
        cards = [int(card) for card in s.rules.money[: int(s.rules.m)]]
        paid = [float(finish("michigan", _staked(s, cards, place))[0]) for place in (None, *range(len(cards)))]
        for card, each in zip(cards, paid[1:], strict=True):
            gains[card_text(card)].append(each - paid[0])
    return {"deals": count} | BY_HAND | {"cards": {card: mean(found) for card, found in gains.items()}}


def _staked(s: Any, cards: Sequence[int], place: int | None) -> Any:
    """The same deal after seat 0 has put four chips on one card (None: one on each); the others spread theirs."""
    t = s.copy()
    spread = sum(5**i for i in range(len(cards)))
    while int(t.phase) == michigan.STAKING:
        seat = contract.actors(t).bit_length() - 1
        own = place is not None and seat == 0
        contract.play(t, seat, michigan.STAKE + (michigan.FOUR * 5**place if own and place is not None else spread))
    return t


# Oh Hell!


def bids(size: float) -> Data:
    """How many tricks a bid makes on average, and how often exactly that many; by bid and by the size of the hand."""
    count = many(size, 400)
    by_bid: dict[int, list[tuple[int, int]]] = defaultdict(list)
    by_size: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    cards, scores = np.empty(112, np.int64), np.zeros(contract.MAX_SEATS, np.int64)
    for match, s in enumerate(deals("oh-hell", None, count, seats=4)):
        over = False
        while not over:
            finish("oh-hell", s)
            for seat in (seat for seat in range(4) if s.bids[seat] >= 0):  # a tie is broken by those who are tied
                by_bid[int(s.bids[seat])].append((int(s.tricks[seat]), match))
                by_size[int(s.each)].append((int(s.bids[seat]), int(s.tricks[seat]), match))
            over = bool(contract.standing(s, scores))
            if not over:
                contract.next_deal(s, cards)
    kept: Data = {"matches": count} | BY_HAND
    kept["bids"] = {
        str(bid): clustered(*zip(*tricks, strict=True))
        | {"made": rounded(sum(t == bid for t, _ in tricks) / len(tricks))}
        for bid, tricks in sorted(by_bid.items())
        if len(tricks) >= FEWEST
    }
    kept["sizes"] = {
        str(each): {
            "made": rounded(sum(b == t for b, t, _ in pairs) / len(pairs)),
            "hands": len(pairs),
            "off": clustered([float(t - b) for b, t, _ in pairs], [match for _, _, match in pairs]),
        }
        for each, pairs in sorted(by_size.items())
        if len(pairs) >= FEWEST
    }
    return kept


# Cassino and Scopa


def openings(game: str, size: float) -> Data:
    """How much more a hand gets in the deal that is dealt a card of a rank at the beginning than one that is not."""
    count = many(size, 6000)
    special = {"cassino": ("TD", "2S"), "scopa": ("7D",)}[game]
    masks = {rank: sum(1 << 13 * suit + k for suit in range(4)) for k, rank in enumerate(RANKS)}
    masks |= {card: 1 << parse_cards(card)[0] for card in special}
    hands: list[tuple[int, float]] = []
    paid = [0.0, 0.0]
    for s in deals(game, None, count, seats=2):
        eldest = (int(s.dealer) + int(s.direction)) % 2
        order = (eldest, 1 - eldest)
        dealt = [int(s.hands[seat]) for seat in order]
        out = finish(game, s)
        for place, seat in enumerate(order):
            paid[place] += float(out[seat])
            hands.append((dealt[place], float(out[seat])))
    level = [each / count for each in paid]  # what the place itself is worth is taken off
    kept: Data = {"deals": count} | BY_HAND | {"cards": {}}
    for name, mask in masks.items():
        having = np.array([bool(held & mask) for held, _ in hands]).reshape(-1, 2)
        if having.sum() >= FEWEST:
            more = np.array([payoff for _, payoff in hands]).reshape(-1, 2) - level
            kept["cards"][name] = apart(having, more) | {"hands": int(having.sum())}
    return kept


def apart(having: NDArray[np.bool_], values: NDArray[np.float64]) -> Data:
    """How much more the hands get that have a card than those that have not; a deal, whose hands hang together, is one
    row of both arrays and one cluster.
    """
    a, b = float(values[~having].mean()), float(values[having].mean())
    pulls = np.where(having, (values - b) / having.sum(), (a - values) / (~having).sum()).sum(axis=1)
    some = int(having.any(axis=1).sum())  # no more deals than these say anything of the hands with the card
    return _kept("difference", b - a, math.sqrt(float((pulls**2).sum()) * len(values) / (len(values) - 1)), some)


# Passes

#: the sets of rules in which who cannot play a card passes, or draws (Domino Fan-Tan)
PASSING = (
    ("fan-tan", "denexa"),
    ("fan-tan", "ultimate"),
    ("five-or-nine", "five-or-nine"),
    ("domino-fan-tan", "domino-fan-tan"),
    ("play-or-pay", "stops"),
    ("play-or-pay", "original"),
)


def passes(size: float) -> Data:
    """How often a seat passes, how often nobody can move, and what goes with a pass more than the others have."""
    kept: Data = BY_HAND | {"rules": {}}
    for game, rules in PASSING:
        count = many(size, 400)
        passed, paid, shares, rounds = [], [], [], []
        for s in deals(game, rules, count):
            each, moves, still = _passes(game, s)
            passed.append(each)
            paid.append(finish(game, s)[: len(each)])
            shares.append(sum(each) / moves)
            rounds.append(float(still))
        found = {"deals": count, "seats": len(passed[0]), "passes": mean([float(np.mean(each)) for each in passed])}
        found |= {"share": mean(shares), "still": mean(rounds), "cost": slope(passed, paid)}
        kept["rules"][catalog.find(game).titles[rules]] = found
    return kept


def _passes(game: str, s: Any) -> tuple[list[int], int, bool]:
    """Play a deal to its end: the passes of each seat, all moves, and whether all seats passed one after the other."""
    each, moves, row, still = [0] * int(s.seats), 0, 0, False
    for seat, _, move in decisions(game, s):
        moves += 1
        if contract.is_pass(s, move):
            each[seat] += 1
            row += 1
            still = still or row >= len(each)
        else:
            row = 0
    return each, moves, still


def slope(counts: ArrayLike, values: ArrayLike) -> Data:
    """By how much a value rises with a count, among the seats of the same deal: the slope of the regression with a
    constant for each deal, whose interval takes the seats of a deal as one cluster.
    """
    x, y = np.asarray(counts, np.float64), np.asarray(values, np.float64)
    x, y = x - x.mean(axis=1, keepdims=True), y - y.mean(axis=1, keepdims=True)
    square = float((x * x).sum())
    middle = float((x * y).sum()) / square
    error = math.sqrt(float(((x * (y - middle * x)).sum(axis=1) ** 2).sum()) * len(x) / (len(x) - 1)) / square
    return _kept("difference", middle, error, len(x))


# Stakes


STAKES: Sequence[tuple[str, str, Mapping[str, str]]] = (
    ("play-or-pay", "stops", {}),
    ("play-or-pay", "stops", {"run_bonus": "whole_run"}),
    ("play-or-pay", "stops", {"run_bonus": "none"}),
    ("play-or-pay", "original", {}),
    ("play-or-pay", "original", {"settlement": "cards_left"}),
    ("fan-tan", "denexa", {}),
    ("fan-tan", "ultimate", {}),
    ("five-or-nine", "five-or-nine", {}),
)


def stakes(size: float) -> Data:
    """Whether a seat of Play or Pay and of Fan Tan pays for its place, and which extra ante would make up for it."""
    kept: Data = {}
    for game, rules, given in STAKES:
        asked = Plan(game, plan.deals_of(game, size), rules, 4, {**FIXED, **given}, measures=("payoff", "won"))
        found, made = run(asked)
        places = [told(found.mean("", f"payoff_{p}")) for p in range(4)]
        won = found.mean("", "won_0").mean
        fair = places[0]["mean"] / (1.0 - won)
        name = ", ".join([catalog.find(game).titles[rules], *(f"{key}={value}" for key, value in given.items())])
        kept[name] = made | {"places": places, "won": rounded(won), "extra": rounded(fair)}
    return kept


def pirate(size: float) -> Data:
    """What LOW, the eldest, wins more often than HIGH, by the number of ships that win."""
    grid, measures = {"target": ["seed", "majority"]}, ("eldest", "void", "length")
    asked = Plan("pirate", plan.deals_of("pirate", size), grid=grid, measures=measures)
    found, made = run(asked)
    cells = {cell.labels[0][1]: {m: told(found.mean(cell.label, m)) for m in measures} for cell in found.cells}
    return made | {"targets": cells}


QUESTIONS: Mapping[str, Callable[[float], Data]] = {
    "passes": passes,
    "widow": widow,
    "boodle": boodle,
    "bids": bids,
    "cassino": lambda size: openings("cassino", size),
    "scopa": lambda size: openings("scopa", size),
    "stakes": stakes,
    "pirate": pirate,
}
