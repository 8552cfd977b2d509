"""Positions of Crazy Eights: a situation in mid-deal as keys, and back. Plain Python.

What everybody knows about the hidden cards (see knowledge.py) is written only if it exceeds their numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from cardtable.base.cards import SUITS, card_text, cards_in, parse_cards, set_of
from cardtable.base.errors import NotationError, PositionError
from cardtable.games.crazy_eights.knowledge import add, add_has, add_known, add_token, clear, set_gone
from cardtable.games.crazy_eights.possible import contradicted
from cardtable.games.crazy_eights.state import BATCHES, EIGHTS, JOKERS, POOLS, WILD, State
from cardtable.rules import positions
from cardtable.rules.unlisted import ANY, Held, lacks

BATCH = re.compile(r"(\d+) of (\d+)(?: least ([^m]+?))?((?: most\d [^m]+?)*)", re.IGNORECASE)
MOST = re.compile(r" most([012]) ([^m]+?)(?= most|$)", re.IGNORECASE)


def _tally(tally: Any) -> Counter[int]:
    """The cards that a tally counts."""
    low, high = tally.tolist()
    return Counter(
        dict.fromkeys(cards_in(low & ~high), 1)
        | dict.fromkeys(cards_in(high & ~low), 2)
        | dict.fromkeys(cards_in(low & high), 3)
    )


def _text(tally: Any) -> str:
    """The same as text."""
    return " ".join(card_text(k) for k in sorted(_tally(tally).elements()))


def position(s: State) -> dict[str, Any]:
    """A deal in play as keys."""
    n, size = int(s.seats), int(s.stock_size)
    keys: dict[str, Any] = {
        "turn": int(s.turn),
        "hands": [_text(s.hands[p]) for p in range(n)],
        "stock": positions.cards_text(positions.ints(s.stock, size)[::-1]),
        "discards": positions.cards_text(positions.ints(s.pile, s.pile_size)),
        "named": SUITS[s.named - 1] if s.named else "",
        "free": bool(s.free),
        "naming": bool(s.naming),
        "turns": int(s.turns),
        "scores": positions.ints(s.scores, n),
        "buried": [f"{card_text(s.sure[i] - 1)} {size - 1 - i}" for i in range(size - 1, -1, -1) if s.sure[i]],
        "known": [_text(s.known[p]) for p in range(n)],
    }
    keys = positions.brief(keys, "turn", "hands", "stock", "discards")
    plain = s.pools == 1 and all(
        s.batches[p] <= 1 and not (s.gone[p].any() or s.least[p].any() or s.most[p].any()) for p in range(n)
    )
    return keys if plain else keys | _facts(s)


def _facts(s: State) -> dict[str, Any]:
    """The facts about the hidden cards: pools, batches, and the cards that a seat received in each batch."""
    n = int(s.seats)
    came = [" | ".join(_text(s.has[p, b]) for b in range(s.batches[p])) if s.batches[p] > 1 else "" for p in range(n)]
    keys = {
        "pools": [_text(s.tokens[e]) for e in range(s.pools)],
        "batches": [_batches(s, p) for p in range(n)],
        "gone": [_text(s.gone[p]) for p in range(n)],
        "came": came,
    }
    return positions.brief(keys, "pools", "batches")


def _batches(s: State, seat: int) -> str:
    """A seat's batches: `3 of 0 least 5H most0 AS 2S | 2 of 1`."""
    texts = []
    for b in range(s.batches[seat]):
        text = f"{s.room[seat, b]} of {s.origin[seat, b]}"
        if s.least[seat, b].any():
            text += f" least {_text(s.least[seat, b])}"
        for number in range(3):
            kinds = [card_text(k) for k, most in sorted(_tally(s.most[seat, b]).items()) if most == number + 1]
            text += f" most{number} {' '.join(kinds)}" if kinds else ""
        texts.append(text)
    return " | ".join(texts)


# Back


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    n = int(s.seats)
    pack = (1 << 52 + int(s.rules.jokers)) - 1
    table = positions.Placing("", 0, pack, int(s.rules.decks))
    pile = table.cards("discards", positions.text(keys, "discards"))
    stock = table.cards("stock", positions.text(keys, "stock"))
    hands = table.lists(keys.pop("hands", None), n)
    what = "cards that are not named lie in the stock or under the discards"
    where = positions.one_of(keys, "unlisted", ("stock", "played"), "stock", what, 'write "stock" or "played"')
    rest = table.rest_of(hands, shuffle, _held(s, dict(keys), where))
    shuffle(rest)
    stock, pile = (stock + rest, pile) if where == "stock" else (stock, rest + pile)
    if not pile:
        why = "there is always an upcard (CE-05)"
        raise PositionError("no discards", why, 'write discards = "5S", the upcard last')
    if empty := [p for p in range(n) if not hands[p]]:
        why = "whoever is out has won, and the deal is over (CE-13)"
        raise PositionError(f"seat {empty[0]} has no cards", why, "give every seat a card")
    if s.deal_number > s.rules.deals:
        why = f"the match has {s.rules.deals} {'deal' if s.rules.deals == 1 else 'deals'}"
        raise PositionError(f"deal {s.deal_number}", why, "name an earlier deal, or more deals in the options")
    clear(s)
    for p in range(n):
        for card in hands[p]:
            add(s, p, card, 1)
    for k, card in enumerate(pile):
        s.pile[k] = card
    for k, card in enumerate(reversed(stock)):
        s.stock[k] = card
    s.pile_size, s.stock_size = len(pile), len(stock)
    s.scores[:n] = positions.numbers(keys, "scores", n, [0] * n, low=0)
    _set_turn(s, keys)
    _set_known(s, keys)
    _set_facts(s, keys)


def _held(s: State, keys: dict[str, Any], where: str) -> list[list[Held]]:
    """The facts about the hands and the stock, for the cards that are to be dealt to them."""
    n = int(s.seats)
    known, gone = ([Counter(cards) for (cards,) in _cards(keys, name, n, 3)] for name in ("known", "gone"))
    held = [[Held(1 << card, number, ANY) for card, number in row.items()] for row in known]
    if "pools" not in keys:
        return held
    pools = _pools(keys)
    facts = s.copy()
    facts.pools = len(pools)
    _set_batches(facts, keys)
    came = _cards(keys, "came", n, 2, parts=True)
    tokens = list(map(set_of, pools))
    for p in range(n):
        own, lost, count = known[p], gone[p], int(facts.batches[p])
        if count == 1:
            least, most = _tally(facts.least[p, 0]), _tally(facts.most[p, 0])
            held[p] += [Held(1 << k, number - lost[k] + own[k], ANY) for k, number in least.items()]
            held[p] += [Held(1 << k, 0, number - 1 - lost[k] + own[k]) for k, number in most.items()]
            held[p].append(lacks(~tokens[facts.origin[p, 0]] & ~set_of(own)))
        elif count and any(came[p]):
            whole = sum(map(Counter, came[p]), Counter(own)) - lost
            held[p] = [Held(1 << card, number, ANY) for card, number in whole.items()]
    buried = positions.text(keys, "buried").upper().replace(",", " ").split()
    hidden = tokens[-1] | set_of(card for card in range(54) if card_text(card) in buried)
    return [*held, [lacks(~hidden)] if where == "stock" else []]


def _set_turn(s: State, keys: dict[str, Any]) -> None:
    """Read the turn, and the restrictions of the upcard."""
    n, up = int(s.seats), int(s.pile[s.pile_size - 1])
    s.turns = positions.number(keys, "turns", 0, int(s.rules.turn_cap) - 1, 0)
    named, free, naming = keys.pop("named", ""), keys.pop("free", False), keys.pop("naming", False)
    suits = positions.suits("named", named)
    if len(suits) > 1 or not isinstance(free, bool) or not isinstance(naming, bool):
        why = "one suit is named; free and naming are true or false"
        raise PositionError("named, free or naming", why, 'write for instance named = "C"')
    if JOKERS >> up & 1:
        good, why = not suits and not naming, "after a joker anything may be laid (CE-10)"
        free = True
    elif EIGHTS >> up & 1:
        freed = s.turns == 0 and (s.rules.starter_wild_free if free else s.rules.starter_wild_dealer_names)
        good = bool(suits) + free + naming == 1 and (bool(suits) or freed)
        why = "a suit is named with an eight (CE-09); one turned up first is free or the dealer's to name (CE-Q1)"
    else:
        good = not suits and not free and not naming
        why = "a suit is named, or anything may be laid, only after an eight or a joker (CE-09, CE-10)"
    if not good:
        what = f"the upcard {card_text(up)}{f' and named = {named!r}' if named else ''}"
        raise PositionError(what, why, "change named, free or the discards")
    s.named = suits[0] + 1 if suits else 0
    s.free, s.naming = int(free), int(naming)
    s.turn = positions.seat(keys, "turn", n, int(s.dealer) if naming else (int(s.dealer) + 1) % n)
    if naming and s.turn != s.dealer:
        raise PositionError(f"turn = {s.turn}", "the dealer names the suit (CE-Q1)", f"write turn = {s.dealer}")


def _cards(keys: dict[str, Any], name: str, n: int, copies: int, parts: bool = False) -> list[list[list[int]]]:
    """A text of cards for each seat, with parts separated by `|`."""
    given = positions.rows(keys, name, n, 'write cards, or "" where nothing is known')
    try:
        return [[parse_cards(part, copies) for part in (row.split("|") if parts else [row])] for row in given]
    except NotationError as error:
        raise positions.misread(f"{name} = {str(given)[:60]}", error) from None


def _pools(keys: dict[str, Any]) -> list[list[int]]:
    """The cards of each pool."""
    given = keys["pools"]
    pools = _cards(keys, "pools", len(given) if isinstance(given, (list, tuple)) else -1, 2)
    if not 1 <= len(pools) <= POOLS:
        raise PositionError(f"{len(pools)} pools", f"there are 1 to {POOLS}", "change pools")
    return [cards for (cards,) in pools]


def _set_known(s: State, keys: dict[str, Any]) -> None:
    """Read the buried cards whose place or holder is publicly known."""
    n, size = int(s.seats), int(s.stock_size)
    given = keys.pop("buried", [])
    for text in given if isinstance(given, (list, tuple)) else [given]:
        words = str(text).split()
        k = int(words[1]) if len(words) == 2 and words[1].isdecimal() and len(words[1]) < 4 else size
        card = int(s.stock[size - 1 - k]) if k < size else -1
        if card < 0 or card_text(card) != words[0].upper() or not WILD >> card & 1:
            why = "it names an eight or joker of the stock and how many cards lie on it (CE-Q1)"
            raise PositionError(f"buried: {str(text)[:40]!r}", why, "write for instance 8C 17")
        s.sure[size - 1 - k] = card + 1
    for p, (cards,) in enumerate(_cards(keys, "known", n, 2)):
        for card in cards:
            add_known(s, p, card, 1)
        wrong = [k for k, number in _tally(s.known[p]).items() if number > _tally(s.hands[p])[k] or not WILD >> k & 1]
        if wrong:
            why = "it is a buried wild card in the hand (CE-Q1)"
            raise PositionError(f"known: {card_text(wrong[0])} of seat {p}", why, "leave it out")


def _set_facts(s: State, keys: dict[str, Any]) -> None:
    """Read the facts about the other hidden cards; by default only their numbers."""
    n = int(s.seats)
    open_stock = [int(s.stock[i]) for i in range(s.stock_size) if not s.sure[i]]
    if "pools" not in keys:
        if surplus := [name for name in ("batches", "gone", "came") if name in keys]:
            raise PositionError(surplus[0], "it says of which pool hidden cards are", "write pools too")
        s.pools = 1
        for card in open_stock:
            add_token(s, 0, card, 1)
        for p in range(n):
            for card in (_tally(s.hands[p]) - _tally(s.known[p])).elements():
                s.batches[p], s.room[p, 0] = 1, s.room[p, 0] + 1
                add_has(s, p, 0, card, 1)
                add_token(s, 0, card, 1)
        return
    pools = _pools(keys)
    s.pools = len(pools)
    for e, cards in enumerate(pools):
        for card in cards:
            add_token(s, e, card, 1)
    _set_batches(s, keys)
    for p, (cards,) in enumerate(_cards(keys, "gone", n, 3)):
        for card in cards:
            set_gone(s, p, card, _tally(s.gone[p])[card] + 1)
    _set_came(s, _cards(keys, "came", n, 2, parts=True))
    _check_facts(s, open_stock)


def _set_batches(s: State, keys: dict[str, Any]) -> None:
    write = 'write for instance "3 of 0 | 2 of 1"'
    n = int(s.seats)
    given = positions.texts(keys.pop("batches", None), "batches", n, f"it is a list of {n} texts", write)
    for p, row in enumerate(map(str, given)):
        parts = [part.strip() for part in row.split("|")] if row.strip() else []
        matches = [BATCH.fullmatch(part) for part in parts]
        if len(parts) > BATCHES or not all(
            match and 1 <= int(match[1]) <= 108 and int(match[2]) < s.pools for match in matches
        ):
            why = "each is a number of cards, and of which pool"
            raise PositionError(f"batches of seat {p}: {row[:60]!r}", why, write)
        s.batches[p] = len(parts)
        for b, match in enumerate(matches):
            assert match
            s.room[p, b], s.origin[p, b] = int(match[1]), int(match[2])
            _set_tally(s.least[p, b], Counter(_cards({"": [match[3] or ""]}, "", 1, 3)[0][0]))
            most = {
                card: int(part[1]) + 1
                for part in MOST.finditer(match[4] or "")
                for card in _cards({"": [part[2]]}, "", 1, 1)[0][0]
            }
            _set_tally(s.most[p, b], most)


def _set_tally(tally: Any, numbers: Any) -> None:
    for x in range(2):
        tally[x] = sum(1 << card for card, number in numbers.items() if number >> x & 1)


def _set_came(s: State, came: Sequence[Sequence[Sequence[int]]]) -> None:
    """Read the cards of the batches; a single batch is the hand plus the cards laid from it."""
    for p, parts in enumerate(came):
        if s.batches[p] == 1 and parts == [[]]:
            parts = [[*(_tally(s.hands[p]) - _tally(s.known[p]) + _tally(s.gone[p])).elements()]]
        if s.batches[p] and len(parts) != s.batches[p]:
            can = "name the cards of each, parted by |"
            raise PositionError(f"came of seat {p}", f"it has batches: {s.batches[p]}", can)
        for b, cards in enumerate(parts if s.batches[p] else []):
            for card in cards:
                add_has(s, p, b, card, 1)


def _check_facts(s: State, open_stock: list[int]) -> None:
    """Check that hands, pools and batches agree, and contradict nothing that was shown."""
    lying = [Counter[int]() for _ in range(s.pools)]
    lying[-1].update(open_stock)
    for p in range(int(s.seats)):
        count = int(s.batches[p])
        came = [_tally(s.has[p, b]) for b in range(count)]
        least = [_tally(s.least[p, b]) for b in range(count)]
        gone = _tally(s.gone[p])
        if sum(came, _tally(s.known[p])) != _tally(s.hands[p]) + gone:
            why = "it does not go with what came to the seat and is gone"
            raise PositionError(f"hand {p}", why, "change hands, came or gone")
        shown: Counter[int] = Counter()
        for cards in least:
            shown = shown + cards if s.rules.decks == 1 else shown | cards
        if contradicted(s, p) or shown != gone:
            why = "it contradicts what the seat has shown"
            raise PositionError(f"hand {p}", why, "change hands, batches, came or gone")
        if any(s.room[p, b] != came[b].total() for b in range(count)):
            why = "they do not have so many cards"
            raise PositionError(f"batches of seat {p}", why, "change batches, came or hands")
        for b, cards in enumerate(came):
            lying[s.origin[p, b]] += cards
    for e in range(s.pools):
        if lying[e] != _tally(s.tokens[e]):
            why = f"its cards are not those of its batches{' and the stock' if e == s.pools - 1 else ''}"
            raise PositionError(f"pool {e}", why, "change pools, batches or stock")
