"""Positions of Crazy Eights: a situation in mid-deal as keys, and back. Plain Python.

What everybody knows about the hidden cards (see knowledge.py) is written only if it is more than their numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from cardtable.base.cards import SUITS, card_text, cards_in, parse_cards, set_of
from cardtable.base.errors import NotationError, PositionError
from cardtable.base.message import Card, Message, Seat
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
    """Everything a deal in play holds."""
    n, size = int(s.seats), int(s.stock_size)
    keys: dict[str, Any] = {"turn": int(s.turn), "hands": [_text(s.hands[p]) for p in range(n)]}
    keys["stock"] = " ".join(card_text(s.stock[i]) for i in range(size - 1, -1, -1))
    keys["discards"] = " ".join(card_text(s.pile[i]) for i in range(s.pile_size))
    if s.named:
        keys["named"] = SUITS[s.named - 1]
    for name in ("free", "naming"):
        if getattr(s, name):
            keys[name] = True
    if s.turns:
        keys["turns"] = int(s.turns)
    if any(s.scores[p] for p in range(n)):
        keys["scores"] = [int(s.scores[p]) for p in range(n)]
    if buried := [f"{card_text(s.sure[i] - 1)} {size - 1 - i}" for i in range(size - 1, -1, -1) if s.sure[i]]:
        keys["buried"] = buried
    if any(s.known[p].any() for p in range(n)):
        keys["known"] = [_text(s.known[p]) for p in range(n)]
    plain = s.pools == 1 and all(
        s.batches[p] <= 1 and not (s.gone[p].any() or s.least[p].any() or s.most[p].any()) for p in range(n)
    )
    return keys if plain else keys | _facts(s)


def _facts(s: State) -> dict[str, Any]:
    """What is known about the hidden cards: pools, batches, and which cards came to a seat in which of its batches."""
    n = int(s.seats)
    keys: dict[str, Any] = {
        "pools": [_text(s.tokens[e]) for e in range(s.pools)],
        "batches": [_batches(s, p) for p in range(n)],
    }
    if any(s.gone[p].any() for p in range(n)):
        keys["gone"] = [_text(s.gone[p]) for p in range(n)]
    if any(s.batches[p] > 1 for p in range(n)):
        keys["came"] = [
            " | ".join(_text(s.has[p, b]) for b in range(s.batches[p])) if s.batches[p] > 1 else "" for p in range(n)
        ]
    return keys


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
    what = Message("cards that are not named lie in the stock or under the discards")
    where = positions.one_of(keys, "unlisted", ("stock", "played"), "stock", what, Message('write "stock" or "played"'))
    rest = table.rest_of(hands, shuffle, _held(s, dict(keys), where))
    shuffle(rest)
    stock, pile = (stock + rest, pile) if where == "stock" else (stock, rest + pile)
    if not pile:
        raise PositionError(
            Message("no discards"),
            Message("there is always an upcard (CE-05)"),
            Message('write discards = "5S", the upcard last'),
        )
    if empty := [p for p in range(n) if not hands[p]]:
        raise PositionError(
            Message("{seat} {seat:has|have} no cards", seat=Seat(int(empty[0]))),
            Message("whoever is out has won, and the deal is over (CE-13)"),
            Message("give every seat a card"),
        )
    if s.deal_number > s.rules.deals:
        raise PositionError(
            Message("deal {deal_number}", deal_number=s.deal_number),
            Message("the match has {deals} {deals:deal|deals}", deals=int(s.rules.deals)),
            Message("name an earlier deal, or more deals in the options"),
        )
    clear(s)
    for p in range(n):
        for card in hands[p]:
            add(s, p, card, 1)
    for k, card in enumerate(pile):
        s.pile[k] = card
    for k, card in enumerate(reversed(stock)):
        s.stock[k] = card
    s.pile_size, s.stock_size = len(pile), len(stock)
    scores = positions.numbers(keys, "scores", n, [0] * n)
    if min(scores) < 0:
        raise PositionError(
            Message("scores = {scores}", scores=scores),
            Message("nobody scores below 0 (CE-13)"),
            Message("write 0 or more"),
        )
    for p in range(n):
        s.scores[p] = scores[p]
    _set_turn(s, keys)
    _set_known(s, keys)
    _set_facts(s, keys)


def _held(s: State, keys: dict[str, Any], where: str) -> list[list[Held]]:
    """What is known of the hands and the stock, for the cards that are to be dealt to them."""
    n = int(s.seats)
    known, gone = ([Counter(cards) for (cards,) in _cards(keys, name, n, 3)] for name in ("known", "gone"))
    held = [[Held(1 << card, number, ANY) for card, number in row.items()] for row in known]
    if "pools" not in keys:
        return held
    given = keys["pools"]
    pools = _cards(keys, "pools", len(given) if isinstance(given, (list, tuple)) else -1, 2)
    facts = s.copy()
    facts.pools = len(pools)
    _set_batches(facts, keys.get("batches"))
    came = _cards(keys, "came", n, 2, parts=True)
    tokens = [set_of(cards) for (cards,) in pools]
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
    """Read whose turn it is, and what may be played on the upcard."""
    n, up = int(s.seats), int(s.pile[s.pile_size - 1])
    s.turns = positions.number(keys, "turns", 0, int(s.rules.turn_cap) - 1, 0)
    named, free, naming = keys.pop("named", ""), keys.pop("free", False), keys.pop("naming", False)
    suits = positions.suits("named", named)
    if len(suits) > 1 or not isinstance(free, bool) or not isinstance(naming, bool):
        raise PositionError(
            Message("named, free or naming"),
            Message("one suit is named; free and naming are true or false"),
            Message('write for instance named = "C"'),
        )
    begin = s.turns == 0
    if JOKERS >> up & 1:
        good, why = not suits and not naming, "after a joker anything may be laid (CE-10)"
        free = True
    elif EIGHTS >> up & 1:
        good = bool(suits) + free + naming == 1
        good = (
            good
            and (not free or (begin and s.rules.starter_wild_free))
            and (not naming or (begin and s.rules.starter_wild_dealer_names))
        )
        why = (
            "a suit is named with an eight (CE-09); only one turned up first may be free, or the dealer's to name "
            "(CE-Q1)"
        )
    else:
        good, why = (
            not suits and not free and not naming,
            "a suit is named, or anything may be laid, only after an eight or a joker (CE-09, CE-10)",
        )
    if not good:
        raise PositionError(
            Message(
                "the upcard {card}{words}",
                card=Card(card_text(up)),
                words=Message(" and named = {named}", named=repr(named)) if named else "",
            ),
            why,
            Message("change named, free or the discards"),
        )
    s.named = suits[0] + 1 if suits else 0
    s.free, s.naming = int(free), int(naming)
    s.turn = positions.seat(keys, "turn", n, int(s.dealer) if naming else (int(s.dealer) + 1) % n)
    if naming and s.turn != s.dealer:
        raise PositionError(
            Message("turn = {turn}", turn=s.turn),
            Message("the dealer names the suit (CE-Q1)"),
            Message("write turn = {dealer}", dealer=s.dealer),
        )


def _cards(keys: dict[str, Any], name: str, n: int, copies: int, parts: bool = False) -> list[list[list[int]]]:
    """A text of cards for each seat, with parts separated by `|`."""
    given = keys.pop(name, [""] * n)
    if not isinstance(given, (list, tuple)) or len(given) != n:
        raise PositionError(
            Message("{name} = {value}", name=name, value=str(given)[:60]),
            Message("it is a list of {n} texts of cards", n=n),
            Message('write "" where nothing is known'),
            code="position/syntax",
        )
    try:
        return [
            [parse_cards(part, copies) for part in (str(text).split("|") if parts else [str(text)])] for text in given
        ]
    except NotationError as error:
        raise positions.unreadable(Message("{name} = {value}", name=name, value=str(given)[:60]), error) from None


def _set_known(s: State, keys: dict[str, Any]) -> None:
    """Read the buried cards whose place, or whose holder, everybody knows."""
    n, size = int(s.seats), int(s.stock_size)
    given = keys.pop("buried", [])
    for text in given if isinstance(given, (list, tuple)) else [given]:
        words = str(text).split()
        k = int(words[1]) if len(words) == 2 and words[1].isdecimal() and len(words[1]) < 4 else size
        card = int(s.stock[size - 1 - k]) if k < size else -1
        if card < 0 or card_text(card) != words[0].upper() or not WILD >> card & 1:
            raise PositionError(
                Message("buried: {text}", text=repr(str(text)[:40])),
                Message("it names an eight or joker of the stock and how many cards lie on it (CE-Q1)"),
                Message("write for instance 8C 17"),
            )
        s.sure[size - 1 - k] = card + 1
    for p, (cards,) in enumerate(_cards(keys, "known", n, 2)):
        for card in cards:
            add_known(s, p, card, 1)
        wrong = [k for k, number in _tally(s.known[p]).items() if number > _tally(s.hands[p])[k] or not WILD >> k & 1]
        if wrong:
            raise PositionError(
                Message("known: {card} of {seat}", card=Card(card_text(wrong[0])), seat=Seat(p)),
                Message("it is a buried wild card in the hand (CE-Q1)"),
                Message("leave it out"),
            )


def _set_facts(s: State, keys: dict[str, Any]) -> None:
    """Read what is known about the other hidden cards; by default only their numbers."""
    n = int(s.seats)
    open_stock = [int(s.stock[i]) for i in range(s.stock_size) if not s.sure[i]]
    given = keys.pop("pools", None)
    if given is None:
        if surplus := [name for name in ("batches", "gone", "came") if name in keys]:
            raise PositionError(
                surplus[0], Message("it says of which pool hidden cards are"), Message("write pools too")
            )
        s.pools = 1
        for card in open_stock:
            add_token(s, 0, card, 1)
        for p in range(n):
            for card in (_tally(s.hands[p]) - _tally(s.known[p])).elements():
                s.batches[p], s.room[p, 0] = 1, s.room[p, 0] + 1
                add_has(s, p, 0, card, 1)
                add_token(s, 0, card, 1)
        return
    pools = _cards({"pools": given}, "pools", len(given) if isinstance(given, (list, tuple)) else -1, 2)
    if not 1 <= len(pools) <= POOLS:
        raise PositionError(
            Message("{n} {n:pool|pools}", n=len(pools)),
            Message("there are 1 to {pools}", pools=POOLS),
            Message("change pools"),
        )
    s.pools = len(pools)
    for e, (cards,) in enumerate(pools):
        for card in cards:
            add_token(s, e, card, 1)
    _set_batches(s, keys.pop("batches", None))
    for p, (cards,) in enumerate(_cards(keys, "gone", n, 3)):
        for card in cards:
            set_gone(s, p, card, _tally(s.gone[p])[card] + 1)
    _set_came(s, _cards(keys, "came", n, 2, parts=True))
    _check_facts(s, open_stock)


def _set_batches(s: State, given: Any) -> None:
    n = int(s.seats)
    rows = positions.texts(
        given, "batches", n, Message("it is a list of {n} texts", n=n), Message('write for instance "3 of 0 | 2 of 1"')
    )
    for p, text in enumerate(rows):
        parts = [part.strip() for part in str(text).split("|")] if str(text).strip() else []
        matches = [BATCH.fullmatch(part) for part in parts]
        if len(parts) > BATCHES or not all(
            match and 1 <= int(match[1]) <= 108 and int(match[2]) < s.pools for match in matches
        ):
            raise PositionError(
                Message("batches of {seat}: {text}", seat=Seat(p), text=repr(str(text)[:60])),
                Message("each is a number of cards, and of which pool"),
                Message('write for instance "3 of 0 | 2 of 1"'),
            )
        s.batches[p] = len(parts)
        for b, match in enumerate(matches):
            assert match
            s.room[p, b], s.origin[p, b] = int(match[1]), int(match[2])
            least = _cards({"": [match[3] or ""]}, "", 1, 3)[0][0]
            _set_tally(s.least[p, b], Counter(least))
            most = {
                card: int(found[1]) + 1
                for found in MOST.finditer(match[4] or "")
                for card in _cards({"": [found[2]]}, "", 1, 1)[0][0]
            }
            _set_tally(s.most[p, b], most)


def _set_tally(tally: Any, numbers: Any) -> None:
    for x in range(2):
        tally[x] = sum(1 << card for card, number in numbers.items() if number >> x & 1)


def _set_came(s: State, came: Sequence[Sequence[Sequence[int]]]) -> None:
    """Read which cards the batches were; a single batch is the hand and what is gone."""
    for p, parts in enumerate(came):
        if s.batches[p] == 1 and parts == [[]]:
            parts = [[*(_tally(s.hands[p]) - _tally(s.known[p]) + _tally(s.gone[p])).elements()]]
        if s.batches[p] and len(parts) != s.batches[p]:
            raise PositionError(
                Message("came of {seat}", seat=Seat(p)),
                Message("it has {n} {n:batch|batches}", n=int(s.batches[p])),
                Message("name the cards of each, parted by |"),
            )
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
            raise PositionError(
                Message("hand {p}", p=p),
                Message("it does not go with what came to the seat and is gone"),
                Message("change hands, came or gone"),
            )
        shown: Counter[int] = Counter()
        for cards in least:
            shown = shown + cards if s.rules.decks == 1 else shown | cards
        if contradicted(s, p) or shown != gone:
            raise PositionError(
                Message("hand {p}", p=p),
                Message("it contradicts what the seat has shown"),
                Message("change hands, batches, came or gone"),
            )
        if any(s.room[p, b] != came[b].total() for b in range(count)):
            raise PositionError(
                Message("batches of {seat}", seat=Seat(p)),
                Message("they do not have so many cards"),
                Message("change batches, came or hands"),
            )
        for b, cards in enumerate(came):
            lying[s.origin[p, b]] += cards
    for e in range(s.pools):
        if lying[e] != _tally(s.tokens[e]):
            raise PositionError(
                Message("pool {e}", e=e),
                Message(
                    "its cards are not those of its batches{words}",
                    words=Message(" and the stock") if e == s.pools - 1 else "",
                ),
                Message("change pools, batches or stock"),
            )
