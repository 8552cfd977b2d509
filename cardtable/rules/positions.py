"""Setting up a position: what the games' `set_position` share. All of it raises PositionError."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from cardtable.base.cards import ALL_52, SUIT_NAMES, SUITS, SYMBOLS, card_text, cards_in, parse_card, parse_cards
from cardtable.base.errors import NotationError, PositionError
from cardtable.base.message import Card, Message
from cardtable.base.types import Json, JsonObject
from cardtable.rules.unlisted import Held, deal, left_of


def no_such_key(key: str, title: str, house_rules: Collection[str]) -> PositionError:
    """The error for a key that a position of a game does not have."""
    can = (
        Message("put it under [options]: {key} is a house rule", key=key)
        if key.replace("-", "_") in house_rules
        else Message("leave it out")
    )
    return PositionError(
        Message("{key} = …", key=key),
        Message("a position of {title} has no such key", title=title),
        can,
        code="position/syntax",
    )


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


def text(keys: JsonObject, name: str) -> str:
    """Text, or a list of texts joined into one: `stock=["7H", "8H"]` is "7H, 8H"."""
    value = keys.pop(name, "")
    return ", ".join(value) if _texts(value) else str(value)


def suits(name: str, given: Json) -> list[int]:
    """The suits that a key names, in order: letters (`H`, `H D`), names or symbols. Raises PositionError."""
    found = []
    for word in str(given).replace(",", " ").split():
        letters = word.upper() if set(word.upper()) <= set(SUITS) else ""
        known = [names.index(word.lower()) for names in (SUIT_NAMES, SYMBOLS) if word.lower() in names]
        if not letters and not known:
            raise PositionError(
                Message("{name} = {text}", name=name, text=repr(str(given)[:40])),
                Message("{word} is no suit", word=repr(word[:20])),
                Message("write S, H, D or C"),
                code="position/syntax",
            )
        found += [SUITS.index(letter) for letter in letters] or known
    return found


def suits_text(mask: int) -> str:
    """Suits as a position writes them, `H D`."""
    return " ".join(SUITS[suit] for suit in range(4) if int(mask) >> suit & 1)


def unreadable(where: Message, error: NotationError) -> PositionError:
    """The error for cards in a position that cannot be read."""
    what, why, can = error.parts
    return PositionError(where, Message("{what}: {why}", what=what, why=why), can, code="position/syntax")


class Placing:
    """Keeps track of where each card lies, and refuses a card in two places. copies: how many packs are used."""

    def __init__(self, where: str, cards: int, pack: int = ALL_52, copies: int = 1) -> None:
        self._copies = copies
        self._left = Counter(dict.fromkeys(cards_in(pack), copies))
        self._place: dict[int, str] = {}
        self._random: list[int] = []
        for card in cards_in(cards):
            self._left[card] = 0
            self._place[card] = where

    def _put(self, card: int, where: str) -> None:
        if self._left[card] == 0:
            often = "once" if self._copies == 1 else f"{self._copies} times at most"
            raise PositionError(
                Message("{card} in {where}", card=Card(card_text(card)), where=where),
                Message("it lies in {place} already", place=self._place[card]),
                Message("name each card {often}", often=often),
            )
        self._left[card] -= 1
        self._place[card] = where

    def cards(self, where: str, text: str) -> list[int]:
        """The cards of a place, in order."""
        try:
            found = parse_cards(text, self._copies)
        except NotationError as error:
            raise unreadable(Message("{where} = {text}", where=where, text=repr(text[:60])), error) from None
        for card in found:
            if card not in self._left:
                raise PositionError(
                    Message("{card} in {where}", card=Card(card_text(card)), where=where),
                    Message("the pack of this game has no such card"),
                    Message("leave it out"),
                )
            self._put(card, where)
        return found

    def lists(self, given: Json, seats: int) -> list[list[int]]:
        """The hands; `*3` in a hand stands for three of the unlisted cards, which `rest_of` draws."""
        if not isinstance(given, (list, tuple)) or len(given) != seats:
            count = f"{len(given)} hands" if isinstance(given, (list, tuple)) else "no hands"
            raise PositionError(
                count,
                Message("there are {seats} seats", seats=seats),
                Message('write hands = ["7H 8H", …], one text for each seat'),
                code="position/syntax",
            )
        hands = []
        self._random = [0] * seats
        for p, text in enumerate(given):
            words = str(text).replace(",", " ").split()
            for word in [word for word in words if word.startswith("*")]:
                words.remove(word)
                if not word[1:].isdecimal() or int(word[1:]) > 104:
                    raise PositionError(
                        Message("{word} in hand {p}", word=word, p=p),
                        Message("a star stands before a number of unlisted cards"),
                        Message("write for instance *5"),
                        code="position/syntax",
                    )
                self._random[p] += int(word[1:])
            hands.append(self.cards(f"hand {p}", " ".join(words)))
        return hands

    def hands(self, given: Json, seats: int) -> list[int]:
        """The hands as sets."""
        return [sum(1 << card for card in hand) for hand in self.lists(given, seats)]

    def rest_of(
        self, hands: list[list[int]], shuffle: Callable[[list[int]], None], held: Sequence[Sequence[Held]] = ()
    ) -> list[int]:
        """The unlisted cards, after the starred ones have been dealt from them at random into `hands`.

        held: the facts about each hand, and then those about what is left. All ways of dealing that agree with them
        have the same chance; if there is none, the position is refused.
        """
        rest = sorted(self._left.elements())
        if sum(self._random) > len(rest):
            raise PositionError(
                Message("{value} starred cards", value=sum(self._random)),
                Message("only {value} cards are unlisted", value=len(rest)),
                Message("ask for fewer"),
            )
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
        hands[:] = [sum(1 << card for card in cards) for cards in drawn]
        return rest


def number(keys: JsonObject, name: str, low: int, high: int, default: int) -> int:
    """A whole number from low to high."""
    value = keys.pop(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise PositionError(
            Message("{name} = {value}", name=name, value=str(value)[:40]),
            Message("{name} is a whole number from {low} to {high}", name=name, low=low, high=high),
            Message("write such a number"),
        )
    return value


def seat(keys: JsonObject, name: str, seats: int, default: int) -> int:
    """A seat."""
    return number(keys, name, 0, seats - 1, int(default))


def card(name: str, text: str) -> int:
    """The one card that a key names. Raises PositionError."""
    try:
        return parse_card(text)
    except NotationError as error:
        raise PositionError(
            Message("{name} = {text}", name=name, text=repr(text[:40])), *error.parts[1:], code="position/syntax"
        ) from None


def numbers(keys: JsonObject, name: str, seats: int, default: list[int]) -> list[int]:
    """A whole number for each seat."""
    given = keys.pop(name, default)
    good = isinstance(given, (list, tuple)) and len(given) == seats
    if not good or not all(isinstance(x, int) and not isinstance(x, bool) and abs(x) <= 10**9 for x in given):
        raise PositionError(
            Message("{name} = {value}", name=name, value=str(given)[:60]),
            Message("{name} is a list of {seats} whole numbers", name=name, seats=seats),
            Message("write one for each seat"),
        )
    return list(given)


def texts(given: Json, name: str, number: int, what: Message, write: Message) -> Sequence[Json]:
    """A key's list of `number` texts. Raises PositionError with `what` it should be and what to `write`."""
    if not isinstance(given, (list, tuple)) or len(given) != number:
        raise PositionError(
            Message("{name} = {value}", name=name, value=str(given)[:60]), what, write, code="position/syntax"
        )
    return given


def one_of(
    keys: JsonObject,
    name: str,
    words: Sequence[str],
    default: str,
    what: Message,
    write: Message,
    code: str = "position/impossible",
) -> str:
    """The one of some words that a key gives; what, write: what the key says and what to write, if it is another.

    Raises PositionError.
    """
    word = str(keys.pop(name, default))
    if word not in words:
        raise PositionError(Message("{name} = {text}", name=name, text=repr(word[:40])), what, write, code=code)
    return word


def sets(keys: JsonObject, name: str, seats: int) -> list[int]:
    """A set of cards for each seat."""
    what = Message("{name} is a list of {seats} texts of cards", name=name, seats=seats)
    given = texts(
        keys.pop(name, [""] * seats), name, seats, what, Message('write "" for a seat of which nothing is known')
    )
    try:
        return [sum(1 << parse_card(word) for word in set(str(text).replace(",", " ").split())) for text in given]
    except NotationError as error:
        raise unreadable(Message("{name} = {value}", name=name, value=str(given)[:60]), error) from None


def chips(s: Any) -> JsonObject:
    """The keys of a position for chips: pot, stacks, stacks before the deal, deals won."""
    n = s.seats
    keys: JsonObject = {}
    if s.rules.stakes_chips:
        keys = {
            "pot": int(s.pot),
            "stacks": [int(s.stacks[p]) for p in range(n)],
            "before": [int(s.before[p]) for p in range(n)],
        }
    if any(s.won[p] for p in range(n)):
        keys["won"] = [int(s.won[p]) for p in range(n)]
    return keys


def set_chips(s: Any, keys: JsonObject) -> None:
    """Read what `chips` writes; default: the stacks of the rules and an empty pot."""
    n = int(s.seats)
    if s.rules.stakes_chips:
        s.pot = number(keys, "pot", 0, 10**9, 0)
        stacks = numbers(keys, "stacks", n, [int(s.rules.stack[p]) for p in range(n)])
        before = numbers(keys, "before", n, stacks)
        if s.rules.credit_table and min(stacks) < 0:
            raise PositionError(
                Message("stacks = {stacks}", stacks=stacks),
                Message("with credit=table no stack is below 0"),
                Message("write stacks of 0 or more"),
            )
        for p in range(n):
            s.stacks[p], s.before[p] = stacks[p], before[p]
    elif "pot" in keys or "stacks" in keys:
        raise PositionError(
            Message("pot or stacks"), Message("with stakes=none no chips are on the table"), Message("leave them out")
        )
    for p, won in enumerate(numbers(keys, "won", n, [0] * n)):
        s.won[p] = won
