"""Games with their presets, numbers of seats and house rules, and their play in the contract's tests.

The functions that list houses take games; without any, they list those of every game that the catalog finds.
"""

from __future__ import annotations

import bisect
import functools
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import assume
from hypothesis import strategies as st

from cardtable.base.cards import card_text
from cardtable.base.errors import OptionError
from cardtable.kernel import prng
from cardtable.match.match import Match
from cardtable.rules import catalog, contract
from cardtable.rules.events import Event
from cardtable.rules.game import Game
from cardtable.rules.options import Kind
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.zones import Row, Zone
from cardtable.views.observed import redacted as redacted
from cardtable.views.view import View

#: house rules that change the most, tried for every preset and number of seats, where the game has them
GREAT: tuple[dict[str, Any], ...] = (
    {},
    {"enforce": "penalise", "detect": "end"},
    {"enforce": "penalise", "detect": "immediate"},
    {"enforce": "penalise", "detect": "immediate", "credit": "table", "stack": 9},
    {"enforce": "penalise", "detect": "end", "credit": "table", "stack": 9},
    {"stakes": "none"},
)

#: House rules that end a deal early, for every house that does not set them: random play may take very long, without
#: testing anything new.
BRISK: dict[str, Any] = {"turn_cap": 25, "move_cap": 160}
SHORTEST: dict[str, Any] = BRISK | {"stall": 60}


def brief(game: Game, most: dict[str, Any] = SHORTEST) -> dict[str, Any]:
    """The options of `most`, which shorten deals, that the game has."""
    return {name: value for name, value in most.items() if name in game.options.kinds()}


@dataclass(frozen=True)
class House:
    """A game with its seats and house rules."""

    game: str
    preset: str
    seats: int
    given: tuple[tuple[str, Any], ...] = ()

    def __str__(self) -> str:
        return "-".join(
            [
                self.game,
                self.preset,
                str(self.seats),
                *(f"{name}={value}".replace(" ", "") for name, value in self.given),
            ]
        )

    @property
    def entry(self) -> Game:
        """The catalog's entry."""
        return catalog.find(self.game)

    @property
    def options(self) -> dict[str, Any]:
        """The options to set: the given ones, and those of BRISK that the game has."""
        return brief(self.entry, BRISK) | dict(self.given)

    @property
    def lengthy(self) -> bool:
        """Whether it has its own limit to a deal's length, or none."""
        return any(name in BRISK for name, _ in self.given)

    def ruleset(self) -> Ruleset:
        """The rules of play. Raises OptionError."""
        return Ruleset.parse(self.entry, self.preset, self.seats, self.options)

    def setup(self, seed: object) -> Any:
        """A state with these rules and seats, not yet opened."""
        s: Any = self.ruleset().state()
        s.seed[:] = prng.key_of(str(seed))
        s.record_events = 1
        return s

    def open(self, seed: object) -> Any:
        """A state with these rules after the opening ceremony."""
        s = self.setup(seed)
        contract.open_match(s)
        return s


@dataclass(frozen=True)
class Houses:
    """Some houses of one game, for one case of a test."""

    game: str
    name: str
    houses: tuple[House, ...]

    def __str__(self) -> str:
        return self.name


def allowed(house: House) -> bool:
    """Whether these house rules are to be had at all; only combinations and seats may forbid what every option
    allows.
    """
    try:
        house.ruleset()
    except OptionError as error:
        if error.code not in ("options/combination", "options/range"):
            raise
        return False
    return True


def play_on(m: Match, choose: Callable[[int], str], number: int = 0) -> None:
    """The next step of a match: the move of one seat that may act, by default the first, or, in real time, a moment
    of them all.
    """
    rules = m.ruleset.real_time
    if rules is None:
        seat = m.actors[number % len(m.actors)]
        m.play(choose(seat), seat)
    else:
        m.tick([choose(seat) if seat in m.actors else rules.silence for seat in range(m.seats)])


def plain_houses(games: Iterable[Game] | None = None) -> list[House]:
    """Every game, preset and number of seats."""
    return [
        House(game.name, preset, n)
        for game in (catalog.games().values() if games is None else games)
        for preset, (low, high) in game.options.seat_range.items()
        for n in range(low, high + 1)
    ]


def great_houses(games: Iterable[Game] | None = None) -> list[House]:
    """The same, and each of GREAT whose options the game has, with the fewest, four and the most seats."""
    houses = []
    for house in plain_houses(games):
        kinds = house.entry.options.kinds()
        few, many = house.entry.options.seat_range[house.preset]
        for given in GREAT if house.seats in (few, 4, many) else GREAT[:1]:
            varied = House(house.game, house.preset, house.seats, tuple(given.items()))
            if given.keys() <= kinds.keys() and allowed(varied):
                houses.append(varied)
    return houses


def typical_houses(games: Iterable[Game] | None = None) -> list[House]:
    """Every game and preset at one number of seats, and each of GREAT once for each game that has its options."""
    chosen = list(catalog.games().values() if games is None else games)
    usual = [House(game.name, preset, Ruleset.parse(game, preset).seats) for game in chosen for preset in game.presets]
    varied: dict[tuple[str, tuple[tuple[str, Any], ...]], House] = {}
    for house in great_houses(chosen):
        varied.setdefault((house.game, house.given), house)
    return list(dict.fromkeys([*usual, *varied.values()]))


def single_houses(games: Iterable[Game] | None = None) -> list[House]:
    """Every preset with each single option at each of its values (numbers: both ends, as far as this table goes; of
    BRISK the low one and its own).

    Where breaking rules may be fined, each value is tried so, because most options show only then; or without fines
    where they are refused.
    """
    houses = []
    for game in catalog.games().values() if games is None else games:
        kinds = game.options.kinds()
        for preset, (low, high) in game.options.seat_range.items():
            for name, kind in kinds.items():
                seats = low if name in BRISK else min(max(5, low), high)
                ends = [kind.low, BRISK.get(name, kind.high)]
                values: list[Any] = list(kind.values) + (ends if kind.high else [])
                values += [tuple(range(kind.low + 1, kind.low + 1 + seats))] if kind.per_seat else []
                for value in dict.fromkeys(values):
                    given = {"enforce": "penalise"} if "enforce" in kinds and name not in ("enforce", "stakes") else {}
                    house = House(game.name, preset, seats, tuple((given | {name: value}).items()))
                    if given and not allowed(house) and allowed(unfined := replace(house, given=((name, value),))):
                        house = unfined
                    while value == kind.high and value > kind.low and not allowed(house):
                        kind = replace(kind, high=kind.high - 1)
                        value = kind.high
                        house = House(game.name, preset, seats, tuple((given | {name: value}).items()))
                    if allowed(house):
                        houses.append(house)
    return list(dict.fromkeys(houses))


# Pairs: a few houses, in which any two choices meet

Chosen = Mapping[str, Any]  # a choice for each factor
MOST = "the most"  #: a choice of a number: as high as the table allows
EACH_SEAT = "one for each"  #: a choice of a number for each seat
ALIKE = 5  #: of an option with more values than this (they name seats), only the first three and the last meet others


def covering(
    factors: Mapping[str, Sequence[Any]],
    wanted: Callable[[str, Any, str, Any], bool],
    allowed: Callable[[Chosen], bool],
    begun: Iterable[Chosen] = (),
) -> list[Chosen]:
    """Rows with a choice for each factor. Every possible requested pair of choices occurs at least once, and so does
    each possible choice: a covering array of strength 2, found greedily.

    The first choice of each factor is the default. begun: initial rows of the result. The same arguments give the
    same rows.
    """
    names = list(factors)
    place = {name: k for k, name in enumerate(names)}
    open_pairs: dict[tuple[tuple[str, Any], ...], None] = {
        ((one, a), (other, b)): None
        for one, other in itertools.combinations(names, 2)
        for a in factors[one]
        for b in factors[other]
        if wanted(one, a, other, b)
    }
    open_single = {(name, a): None for name in names for a in factors[name]}
    rows: list[Chosen] = []

    def gain(name: str, choice: Any, row: Chosen) -> int:
        """The number of open pairs that a choice covers with those of a row."""
        count = int((name, choice) in open_single)
        for other, b in row.items():
            one = (name, choice), (other, b)
            count += (one if place[name] < place[other] else one[::-1]) in open_pairs
        return count

    def completed(row: dict[str, Any], careful: bool) -> Chosen | None:
        """A complete row with these choices; careful: each further choice must be possible. None: no such row."""
        usual = {name: factors[name][0] for name in names}
        if careful and not allowed(usual | row):
            free = [name for name in names if name not in row]
            single = ({name: choice} for name in free for choice in factors[name][1:])
            # such as a preset and its number of seats
            both = [name for name in names[:2] if name in free]
            pairs = (
                dict(zip(both, chosen, strict=True)) for chosen in itertools.product(*(factors[name] for name in both))
            )
            rescue = next((more for more in itertools.chain(single, pairs) if allowed(usual | row | more)), None)
            if rescue is None:
                return None
            row = row | rescue
        for name in names:
            if name not in row:
                ranked = sorted(factors[name], key=lambda choice: -gain(name, choice, row))
                row[name] = next(c for c in ranked if not careful or allowed(usual | row | {name: c}))
        return {name: row[name] for name in names} if careful or allowed(row) else None

    def add(row: Chosen) -> None:
        rows.append(row)
        for single in row.items():
            open_single.pop(single, None)
        for pair in itertools.combinations([(name, row[name]) for name in names], 2):
            open_pairs.pop(pair, None)

    for row in begun:
        add(row)
    while open_pairs or open_single:
        first = next(iter(open_pairs)) if open_pairs else (next(iter(open_single)),)
        whole = completed(dict(first), False) or completed(dict(first), True)
        if whole is not None:
            add(whole)
        open_pairs.pop(first, None)
        if len(first) == 1:
            open_single.pop(first[0], None)
    return rows


def covering_houses(games: Iterable[Game] | None = None) -> list[House]:
    """Of each game the typical houses, and as many more as it takes until each preset has been played by each number of
    seats, any two values of two options together, and each value with each preset and with few, some and many seats.
    """
    return [house for game in (catalog.games().values() if games is None else games) for house in _covering(game)]


@functools.cache
def _covering(game: Game) -> list[House]:
    kinds = game.options.kinds()
    lows, highs = zip(*game.options.seat_range.values(), strict=True)
    few, many = min(lows), max(highs)
    some = min(max(4, few), many)
    factors: dict[str, list[Any]] = {
        "preset": list(game.presets),
        "seats": sorted(range(few, many + 1), key=lambda seats: seats != some),
    }
    factors |= {name: [None, *_choices(kind)] for name, kind in kinds.items() if name not in BRISK}

    def meets(name: str, choice: Any) -> bool:
        values = kinds[name].values if name in kinds else ()
        return choice is not None and choice not in (values[3:-1] if len(values) > ALIKE else ())

    def wanted(one: str, a: Any, other: str, b: Any) -> bool:
        if (one, other) == ("preset", "seats"):
            return True
        return meets(one, a) and meets(other, b) and (one != "seats" or a in (few, some, many))

    typical = [
        dict.fromkeys(factors) | {"preset": house.preset, "seats": house.seats} | dict(house.given)
        for house in typical_houses([game])
    ]
    rows = covering(factors, wanted, lambda row: _house(game, row) is not None, typical)
    return list(dict.fromkeys(house for row in rows if (house := _house(game, row))))


def lengthy_houses(games: Iterable[Game] | None = None) -> list[House]:
    """For each game the values of the options in BRISK, some of which allow very long deals; with few seats."""
    houses = []
    for game in catalog.games().values() if games is None else games:
        preset, (seats, _) = next(iter(game.options.seat_range.items()))
        for name, kind in game.options.kinds().items():
            values = [*kind.values, kind.low, BRISK[name]] if name in BRISK else []
            houses += [House(game.name, preset, seats, ((name, value),)) for value in values]
    return houses


def _choices(kind: Kind) -> list[Any]:
    """What an option is tried with: its values, both ends of a number, a number for each seat."""
    ends = [kind.low, MOST] if kind.high else []
    return list(dict.fromkeys([*kind.values, *ends, *([EACH_SEAT] if kind.per_seat else [])]))


def _house(game: Game, row: Chosen) -> House | None:
    """The house of a row, with numbers at their maximum if required; None: there is no such house."""
    kinds = game.options.kinds()
    preset, seats = row["preset"], row["seats"]
    low, high = game.options.seat_range[preset]
    if not low <= seats <= high:
        return None
    given = {name: row[name] for name in kinds if row.get(name) is not None}
    for name, choice in given.items():
        if choice == EACH_SEAT:
            given[name] = tuple(range(kinds[name].low + 1, kinds[name].low + 1 + seats))
        elif choice == MOST:
            given[name] = kinds[name].high
    house = House(game.name, preset, seats, tuple(given.items()))
    if allowed(house):
        return house
    for name in [name for name in given if row[name] == MOST]:

        def lowered(number: int, name: str = name) -> House:
            return replace(house, given=tuple((given | {name: number}).items()))

        numbers = range(kinds[name].low, kinds[name].high)
        # What allows a number allows lower ones.
        if fits := bisect.bisect_left(numbers, True, key=lambda number: not allowed(lowered(number))):
            return lowered(numbers[fits - 1])
    return None


@st.composite
def some_options(draw: st.DrawFn, name: str | None = None) -> House:
    """A game (or the one named) with any house rules that its options allow."""
    game = catalog.find(name) if name else draw(st.sampled_from(list(catalog.games().values())))
    preset = draw(st.sampled_from(game.presets))
    seats = draw(st.integers(*game.options.seat_range[preset]))
    chosen: dict[str, Any] = {}
    for option, kind in game.options.kinds().items():
        if draw(st.booleans()):
            numbers = (
                [st.integers(kind.low, min(kind.high, kind.low + 40)), st.integers(kind.low, kind.high)]
                if kind.high
                else []
            )
            rows = [st.tuples(*[st.integers(kind.low, kind.high)] * seats)] if kind.per_seat else []
            chosen[option] = draw(st.one_of(*([st.sampled_from(kind.values)] if kind.values else []), *numbers, *rows))
    try:
        Ruleset.parse(game, preset, seats, chosen)
    except OptionError:
        assume(False)
    return House(game.name, preset, seats, tuple(chosen.items()))


# Playing

Policy = Callable[[random.Random, list[int]], int]
POLICIES: dict[str, Policy] = {
    "random": lambda dice, moves: dice.choice(moves),
    "first": lambda dice, moves: moves[0],
    "last": lambda dice, moves: moves[-1],
    "mostly last": lambda dice, moves: moves[-1] if dice.random() < 0.8 else dice.choice(moves),
}


def seats_of(mask: int) -> list[int]:
    """The seats of a mask."""
    return [seat for seat in range(contract.MAX_SEATS) if int(mask) >> seat & 1]


def legal_of(game: Game, s: Any, seat: int) -> list[int]:
    """The legal moves, with a guard behind the room that the game declares."""
    room = game.rules.MAX_MOVES
    moves = np.full(room + 16, -7, np.int64)
    n = int(contract.legal(s, seat, moves))
    assert n <= room, f"{n} legal moves, MAX_MOVES is {room}"
    assert (moves[n:] == -7).all(), "legal wrote behind its last move"
    return [int(move) for move in moves[:n]]


def deal(
    name: str = "fan-tan", rules: str | None = None, seats: int | None = None, seed: str = "1", **options: Any
) -> tuple[Game, Any]:
    """A game and its first deal."""
    ruleset = Ruleset.parse(catalog.find(name), rules, seats, options)
    s: Any = ruleset.state()
    s.seed[:] = prng.key_of(seed)
    contract.open_match(s)
    deal_out(s)
    return ruleset.game, s


def deal_out(s: Any) -> None:
    """The next deal."""
    contract.next_deal(s, np.zeros(112, np.int64))


def moments(game: Game, s: Any, seed: object, policy: str = "random") -> Iterator[tuple[int, int, list[int]]]:
    """Play a deal that has been dealt: yields (number, seat, legal moves) before each move, which it then plays."""
    dice = random.Random(f"{seed} {policy}")
    number = 0
    while mask := int(contract.actors(s)):
        seat = dice.choice(seats_of(mask))
        moves = legal_of(game, s, seat)
        number += 1
        yield number, seat, moves
        contract.play(s, seat, POLICIES[policy](dice, moves))


# Reading


def scores_of(s: Any) -> list[int]:
    """The match's scores."""
    out = np.zeros(contract.MAX_SEATS, np.int64)
    contract.standing(s, out)
    return [int(x) for x in out[: s.seats]]


def payoff_of(s: Any) -> list[float]:
    """The deal's payoff."""
    out = np.zeros(contract.MAX_SEATS)
    contract.payoff(s, out)
    return [float(x) for x in out[: s.seats]]


def view_of(house: House, s: Any, seat: int) -> View:
    """The view of a seat (-1: a spectator)."""
    game = house.entry
    viewer = None if seat < 0 else seat
    mine = redacted(s, seat)
    actors = tuple(seats_of(contract.actors(mine)))
    moves = tuple(legal_of(game, s, seat)) if seat in actors else ()
    events = tuple(event.seen_by(viewer) for event in game.events_of(s))
    return View(game, house.preset, viewer, mine, moves, actors, tuple(scores_of(s)), events)


def on_table(house: House, s: Any) -> tuple[int, int | None]:
    """What everybody can count: the cards on the table, face up and face down, and the chips in the pot (None: no
    pot).
    """
    zones = view_of(house, s, -1).zones
    pots = [zone.count for zone in zones if zone.kind == "pot"]
    return sum(zone.count for zone in zones if holds_cards(zone)), sum(pots) if pots else None


def holds_cards(zone: Zone) -> bool:
    """Whether only this zone has its cards; those of a sequence also lie with their players."""
    return zone.kind not in ("pot", "score", "action") and not (isinstance(zone, Row) and zone.grows)


def left_out(house: House, s: Any, whole: int) -> str:
    """A description of zones that do not add up to the pack: missing and duplicate cards."""
    cards = np.zeros(112, np.int64)
    pack = Counter(card_text(card) for card in cards[: int(contract.pack(s, cards))])
    shown: Counter[str] = Counter()
    down = 0
    zones = {zone.name: zone for zone in view_of(house, s, -1).zones if holds_cards(zone)}
    for name, zone in zones.items():
        views = [
            zone,
            *(other for p in range(house.seats) for other in view_of(house, s, p).zones if other.name == name),
        ]
        known = max((Counter(card for card in one.cards if card) for one in views), key=Counter.total)
        shown += known
        down += zone.count - known.total()
    counts = ", ".join(f"{name} {zone.count}" for name, zone in zones.items())
    said = f"the zones have {sum(zone.count for zone in zones.values())} cards, and the pack has {whole} ({counts})"
    if shown - pack:
        return f"{said}; too often: {' '.join(sorted(shown - pack))}: show each card in one zone"
    missing = " ".join(sorted((pack - shown).elements()))
    hidden = f", {down} of which lie face down" if down else ""
    return (
        f"{said}; in no zone face up: {missing}{hidden}: add a zone, a Pile such as that of the cards out of the deal"
    )


def explained(events: list[Event], scores: list[int], pot: int) -> tuple[list[int], int]:
    """Scores and pot after applying the chips of the events."""
    scores = list(scores)
    for event in events:
        if event.kind in ("pay", "take"):
            assert event.amount is not None
            assert event.amount > 0
            assert event.rule, "a payment without its rule"
            if event.source is None:
                pot -= event.amount
            else:
                scores[event.source] -= event.amount
            if event.target is None:
                pot += event.amount
            else:
                scores[event.target] += event.amount
        elif event.kind == "score":
            assert event.source is not None
            scores[event.source] += event.amount or 0
    return scores, pot
