"""Positions as text: what `position` and `set_position` of the games share. All of it raises PositionError, in plain
English, because the keys of a position are English words too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cardtable.base.cards import (
    ALL_52,
    SUIT_NAMES,
    SUITS,
    SYMBOLS,
    card_text,
    cards_in,
    parse_card,
    parse_cards,
    set_of,
)
from cardtable.base.errors import NotationError, PositionError, Text
from cardtable.base.types import Json, JsonObject
from cardtable.rules.unlisted import Held, deal, left_of


def unreadable(what: Text, why: Text, can: Text) -> PositionError:
    """The error for a key that cannot be read."""
    return PositionError(what, why, can, code="position/syntax")


def misread(where: str, error: NotationError) -> PositionError:
    """The error for cards in a position that cannot be read."""
    return unreadable(where, f"{error.what}: {error.why}", error.can)


def no_such_key(key: str, title: str, house_rules: Collection[str]) -> PositionError:
    """The error for a key that a position of a game does not have."""
    can = f"put it under [options]: {key} is a house rule" if key.replace("-", "_") in house_rules else "leave it out"
    return unreadable(f"{key} = …", f"a position of {title} has no such key", can)


def plain(keys: Mapping[str, Json]) -> JsonObject:
    """The keys of a position as its text would have them: `on={"AH": 3}` as "AH 3", `hands=[["7H", "8H"]]` as ["7H
    8H"].
    """

    def one(value: Json) -> Json:
        if isinstance(value, Mapping):
            return ", ".join(f"{name} {item}" for name, item in value.items())
        if isinstance(value, (list, tuple)):
            return [" ".join(item) if _texts(item) else item for item in value]
        return value

    return {name: one(value) for name, value in keys.items()}


def _texts(value: Json) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def brief(keys: JsonObject, *always: str) -> JsonObject:
    """The keys of a position without empty ones: 0, "", false, or a list of these."""
    return {
        name: value
        for name, value in keys.items()
        if name in always or (any(value) if isinstance(value, list) else value)
    }


def ints(row: Any, n: int) -> list[int]:
    """The first numbers of a state's array."""
    return [int(row[i]) for i in range(n)]


def text(keys: JsonObject, name: str) -> str:
    """Text, or a list of texts joined into one: `stock=["7H", "8H"]` is "7H, 8H"."""
    value = keys.pop(name, "")
    return ", ".join(value) if _texts(value) else str(value)


def cards_text(cards: Any) -> str:
    """Cards in this order, `KC 7H`."""
    return " ".join(card_text(int(card)) for card in cards)


def suits(name: str, given: Json) -> list[int]:
    """The suits of a key, in order: letters (`H`, `H D`), names or symbols."""
    named = []
    for word in str(given).replace(",", " ").split():
        letters = word.upper() if set(word.upper()) <= set(SUITS) else ""
        known = [names.index(word.lower()) for names in (SUIT_NAMES, SYMBOLS) if word.lower() in names]
        if not letters and not known:
            raise unreadable(f"{name} = {str(given)[:40]!r}", f"{word[:20]!r} is no suit", "write S, H, D or C")
        named += [SUITS.index(letter) for letter in letters] or known
    return named


def suits_text(mask: int) -> str:
    """Suits as a position writes them, `H D`."""
    return " ".join(SUITS[suit] for suit in range(4) if int(mask) >> suit & 1)


class Placing:
    """Keeps track of where each card lies, and refuses a card in two places. copies: how many packs are used."""

    def __init__(self, where: str, cards: int, pack: int = ALL_52, copies: int = 1) -> None:
        self._copies = copies
        self._unplaced = Counter(dict.fromkeys(cards_in(pack), copies))
        self._place: dict[int, str] = {}
        self._random: list[int] = []
        for card in cards_in(cards):
            self._unplaced[card] = 0
            self._place[card] = where

    def cards(self, where: str, text: str) -> list[int]:
        """The cards of a place, in order."""
        try:
            cards = parse_cards(text, self._copies)
        except NotationError as error:
            raise misread(f"{where} = {text[:60]!r}", error) from None
        for card in cards:
            here = f"{card_text(card)} in {where}"
            if card not in self._unplaced:
                raise PositionError(here, "the pack of this game has no such card", "leave it out")
            if self._unplaced[card] == 0:
                often = "once" if self._copies == 1 else f"{self._copies} times at most"
                raise PositionError(here, f"it lies in {self._place[card]} already", f"name each card {often}")
            self._unplaced[card] -= 1
            self._place[card] = where
        return cards

    def lists(self, given: Json, seats: int) -> list[list[int]]:
        """The hands; `*3` in a hand means three of the unlisted cards, which `rest_of` draws."""
        if not isinstance(given, (list, tuple)) or len(given) != seats:
            count = f"{len(given)} hands" if isinstance(given, (list, tuple)) else "no hands"
            raise unreadable(count, f"there are {seats} seats", 'write hands = ["7H 8H", …], one text for each seat')
        hands = []
        self._random = [0] * seats
        for p, text in enumerate(given):
            words = str(text).replace(",", " ").split()
            for word in [word for word in words if word.startswith("*")]:
                words.remove(word)
                if not word[1:].isdecimal() or int(word[1:]) > 104:
                    why = "a star stands before a number of unlisted cards"
                    raise unreadable(f"{word} in hand {p}", why, "write for instance *5")
                self._random[p] += int(word[1:])
            hands.append(self.cards(f"hand {p}", " ".join(words)))
        return hands

    def hands(self, given: Json, seats: int) -> list[int]:
        """The hands as sets."""
        return [set_of(hand) for hand in self.lists(given, seats)]

    def rest_of(
        self, hands: list[list[int]], shuffle: Callable[[list[int]], None], held: Sequence[Sequence[Held]] = ()
    ) -> list[int]:
        """The unlisted cards, after the starred ones have been dealt from them at random into `hands`.

        held: the facts about each hand, and then those about the rest. Deals consistent with them are equally likely;
        if there is none, the position is refused.
        """
        rest = sorted(self._unplaced.elements())
        if sum(self._random) > len(rest):
            why = f"only {len(rest)} cards are unlisted"
            raise PositionError(f"{sum(self._random)} starred cards", why, "ask for fewer")
        if not any(self._random):
            return rest
        shuffle(rest)
        rooms = [*self._random, len(rest) - sum(self._random)]
        facts = [[left_of(fact, named) for fact in row] for row, named in zip(held, [*hands, []], strict=False)]
        facts += [[] for _ in rooms[len(facts) :]]
        *dealt, rest = deal(rest, rooms, facts, shuffle)
        for hand, cards in zip(hands, dealt, strict=True):
            hand += cards
        return rest

    def rest(
        self, hands: list[int], shuffle: Callable[[list[int]], None], held: Sequence[Sequence[Held]] = ()
    ) -> list[int]:
        """As `rest_of`, for hands that are sets."""
        drawn = [cards_in(hand) for hand in hands]
        rest = self.rest_of(drawn, shuffle, held)
        hands[:] = [set_of(cards) for cards in drawn]
        return rest


def number(keys: JsonObject, name: str, low: int, high: int, default: int) -> int:
    """A whole number from low to high."""
    value = keys.pop(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        why = f"{name} is a whole number from {low} to {high}"
        raise PositionError(f"{name} = {str(value)[:40]}", why, "write such a number")
    return value


def seat(keys: JsonObject, name: str, seats: int, default: int) -> int:
    """A seat."""
    return number(keys, name, 0, seats - 1, int(default))


def seats_in(keys: JsonObject, name: str, seats: int, default: Sequence[int] = ()) -> list[int]:
    """A list of seats."""
    given = keys.pop(name, default)
    if not isinstance(given, (list, tuple)) or not all(type(p) is int and 0 <= p < seats for p in given):
        raise unreadable(f"{name} = {str(given)[:40]}", f"{name} is a list of seats", "write for instance [0, 2]")
    return sorted(set(given))


def card(name: str, text: str) -> int:
    """The single card of a key."""
    try:
        return parse_card(text)
    except NotationError as error:
        raise unreadable(f"{name} = {text[:40]!r}", error.why, error.can) from None


def numbers(keys: JsonObject, name: str, seats: int, default: list[int], low: int = -(10**9)) -> list[int]:
    """A whole number for each seat, `low` at least."""
    given = keys.pop(name, default)
    good = isinstance(given, (list, tuple)) and len(given) == seats
    if not good or not all(isinstance(x, int) and not isinstance(x, bool) and low <= x <= 10**9 for x in given):
        least = "" if low < 0 else f", none below {low}"
        why = f"{name} is a list of {seats} whole numbers{least}"
        raise PositionError(f"{name} = {str(given)[:60]}", why, "write one for each seat")
    return list(given)


def texts(given: Json, name: str, number: int, what: Text, write: Text) -> Sequence[Json]:
    """A key's list of `number` texts; what: the expected content; write: the expected form."""
    if not isinstance(given, (list, tuple)) or len(given) != number:
        raise unreadable(f"{name} = {str(given)[:60]}", what, write)
    return given


def rows(keys: JsonObject, name: str, number: int, write: str) -> list[str]:
    """A key's list of `number` texts, which are empty if it is left out; write: what to write."""
    given = keys.pop(name, [""] * number)
    return [str(row) for row in texts(given, name, number, f"{name} is a list of {number} texts", write)]


def listed(keys: JsonObject, name: str, most: int, write: str) -> list[str]:
    """A key's list of up to `most` texts; write: what to write."""
    given = keys.pop(name, [])
    if not isinstance(given, (list, tuple)) or len(given) > most:
        raise unreadable(f"{name} = {str(given)[:60]}", f"{name} is a list of at most {most} texts", write)
    return [str(row) for row in given]


def one_of(
    keys: JsonObject,
    name: str,
    words: Sequence[str],
    default: str,
    what: Text,
    write: Text,
    code: str = "position/impossible",
) -> str:
    """A key's value among some words; what, write: for the error if it is another."""
    word = str(keys.pop(name, default))
    if word not in words:
        raise PositionError(f"{name} = {word[:40]!r}", what, write, code=code)
    return word


def sets(keys: JsonObject, name: str, seats: int) -> list[int]:
    """A set of cards for each seat."""
    given = rows(keys, name, seats, 'write cards, or "" for a seat of which nothing is known')
    try:
        return [set_of(map(parse_card, row.replace(",", " ").split())) for row in given]
    except NotationError as error:
        raise misread(f"{name} = {str(given)[:60]}", error) from None


def chips(s: Any) -> JsonObject:
    """The keys of a position for chips: pot, stacks, stacks before the deal, deals won."""
    n = int(s.seats)
    keys: JsonObject = {}
    if s.rules.stakes_chips:
        keys = {"pot": int(s.pot), "stacks": ints(s.stacks, n), "before": ints(s.before, n)}
    return brief(keys | {"won": ints(s.won, n)}, *keys)


def set_chips(s: Any, keys: JsonObject) -> None:
    """Read what `chips` writes; default: the stacks of the rules and an empty pot."""
    n = int(s.seats)
    if s.rules.stakes_chips:
        s.pot = number(keys, "pot", 0, 10**9, 0)
        stacks = numbers(keys, "stacks", n, ints(s.rules.stack, n))
        before = numbers(keys, "before", n, stacks)
        if s.rules.credit_table and min(stacks) < 0:
            raise PositionError(f"stacks = {stacks}", "with credit=table no stack is below 0", "write 0 or more")
        s.stacks[:n], s.before[:n] = stacks, before
    elif "pot" in keys or "stacks" in keys:
        raise PositionError("pot or stacks", "with stakes=none no chips are on the table", "leave them out")
    s.won[:n] = numbers(keys, "won", n, [0] * n)
