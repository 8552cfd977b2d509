"""Positions of Thirty-One: cards, markers, and what everybody has seen (see `state`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.base.cards import card_text, cards_in, set_of, set_text
from cardtable.base.errors import PositionError
from cardtable.games.thirty_one.facts import age_of, of_age
from cardtable.games.thirty_one.state import (
    FROM_PILE,
    FROM_STOCK,
    MAX_LEVEL,
    MAX_TAKEN,
    NEW_STOCKS,
    NO_CARD,
    State,
    is_blitz,
    may_knock_with,
    pack_of,
    turn_of,
)
from cardtable.kernel.bits import count
from cardtable.rules import positions
from cardtable.rules.unlisted import Held, holds, lacks

NEW_STOCK = "new stock"
ALWAYS = ("turn", "hands", "stock", "discards", "markers", "out", "knocker", "new_stocks", "ages")
HELP = (
    'write turns = "0 stock 9C, 1 9C 4D*, new stock": who, what they took, what they discarded (* known to be theirs)'
)


def position(s: State) -> dict[str, Any]:
    """A deal in play as keys."""
    n = range(int(s.seats))
    keys: dict[str, Any] = {
        "turn": int(s.turn),
        "hands": [set_text(s.hands[p]) for p in n],
        "stock": positions.cards_text(positions.ints(s.stock, s.stock_count)[::-1]),
        "discards": positions.cards_text(positions.ints(s.pile, s.pile_count)),
        "markers": [int(s.scores[p]) for p in n],
    }
    if s.alive != (1 << s.seats) - 1:
        keys["out"] = [p for p in n if not s.alive >> p & 1]
    if s.drawn:
        keys["drawn"] = "stock" if s.drawn == FROM_STOCK else card_text(s.taken)
    if s.knocker >= 0:
        keys["knocker"] = int(s.knocker)
    keys["known"] = [set_text(s.known[p]) for p in n]
    if s.stocks:
        keys["new_stocks"] = [set_text(s.restocked[age]) for age in range(1, s.stocks + 1)]
        keys["ages"] = [[int(s.hidden[p, age]) for age in range(s.stocks + 1)] for p in n]
    keys |= {name: int(getattr(s, name)) for name in ("level", "takes", "played")}
    if s.turn_count:
        keys["turns"] = _turns_text(s)
    return positions.brief(keys, *ALWAYS)


def _turns_text(s: State) -> str:
    """The turns of the deal; the pair of `_set_turns`."""
    words: list[str] = []
    age = int(s.turns[0]) >> 17
    for turn in (int(s.turns[k]) for k in range(s.turn_count)):
        words += [NEW_STOCK] * ((turn >> 17) - age)
        age = turn >> 17
        taken = turn >> 4 & 63
        words.append(
            f"{turn & 15} {'stock' if taken == NO_CARD else card_text(taken)} "
            f"{card_text(turn >> 10 & 63)}{'*' * (turn >> 16 & 1)}"
        )
    return ", ".join(words + [NEW_STOCK] * (int(s.stocks) - age))


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    _set_markers(s, keys)
    _set_stage(s, keys)
    _set_cards(s, keys, shuffle)
    _set_known(s, keys)
    _set_turn(s, keys)
    _set_turns(s, keys)
    for p in range(s.seats):
        if s.in_play >> p & 1:
            _check_past(s, p)


def _set_markers(s: State, keys: dict[str, Any]) -> None:
    """Set the markers, the seats that are out, and the number of hands in a row without a loser."""
    n = int(s.seats)
    out = positions.seats_in(keys, "out", n)
    if n - len(out) < 2:
        raise PositionError(f"out = {out}", "two at least are still in", "list fewer seats")
    s.alive = s.in_play = (1 << n) - 1 & ~set_of(out)
    least, most = int(not s.rules.free_life), int(s.rules.lives)
    markers = positions.numbers(keys, "markers", n, [0 if p in out else most for p in range(n)])
    for p in range(n):
        if not (markers[p] == 0 if p in out else least <= markers[p] <= most):
            why = "a player who is out has none" if p in out else f"everybody has {least} to {most}"
            raise PositionError(f"markers of seat {p} = {markers[p]}", f"{why} (TO-18, TO-19)", "change markers or out")
        s.scores[p] = markers[p]
    s.pot = 0 if s.rules.stake_banknote else most * n - sum(markers)
    s.level = positions.number(keys, "level", 0, MAX_LEVEL - 1, 0)
    if s.in_play >> s.dealer & 1 == 0:
        raise PositionError(f"dealer = {s.dealer}", "this seat is out", "name a dealer who is still in")


def _set_stage(s: State, keys: dict[str, Any]) -> None:
    """Set the card drawn in this turn, the seat that knocked, and the number of upcards taken."""
    drawn = str(keys.pop("drawn", ""))
    s.taken, s.drawn = NO_CARD, 0
    if drawn == "stock":
        s.drawn = FROM_STOCK
    elif drawn:
        s.taken, s.drawn = positions.card("drawn", drawn), FROM_PILE
    s.knocker = positions.seat(keys, "knocker", int(s.seats), 0) if "knocker" in keys else -1
    if s.knocker >= 0 and not s.in_play >> s.knocker & 1:
        raise PositionError(f"knocker = {s.knocker}", "this seat is out", "name a seat that is still in")
    s.takes = positions.number(keys, "takes", 0, MAX_TAKEN, int(s.drawn == FROM_PILE))
    least = count(s.in_play) + 1 if s.rules.first_round_knock_forbidden and s.knocker >= 0 else int(s.knocker >= 0)
    s.played = positions.number(keys, "played", 0, 10**4, least)
    if s.played < least:
        why = f"by then seat {int(s.knocker)} could not have knocked (TO-11)"
        raise PositionError(f"played = {s.played}", why, "leave out knocker, or change played")


def _set_cards(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Hands, discards and stock; unnamed cards go under the stock in random order."""
    n = int(s.seats)
    _set_new_stocks(s, keys)
    table = positions.Placing("", 0, pack_of(s))
    hands = table.hands(keys.pop("hands", None), n)
    stock = table.cards("stock", positions.text(keys, "stock"))
    named = "discards" in keys
    held = _held(s, keys)
    pile = table.cards("discards", positions.text(keys, "discards"))
    rest = table.rest(hands, shuffle, held)
    shuffle(rest)
    if not named and s.drawn != FROM_PILE and rest:
        pile = [rest.pop()]
    stock += rest
    s.turn = positions.seat(keys, "turn", n, _first_to_act(s, hands))
    for p in range(n):
        wanted = (3 + int(bool(s.drawn) and p == s.turn)) * int(s.in_play >> p & 1)
        if hands[p].bit_count() != wanted:
            what = f"seat {p} has {hands[p].bit_count()} cards"
            raise PositionError(what, f"it should have {wanted} (TO-06, TO-09)", "change its hand, out or drawn")
        s.hands[p] = hands[p]
    if s.knocker >= 0 and not may_knock_with(s, s.hands[s.knocker]):
        why = f"knocking takes a count of {int(s.rules.min_knock)} (TO-C9)"
        raise PositionError(f"knocker = {int(s.knocker)}", why, "change its hand, or leave out knocker")
    if not pile and s.drawn != FROM_PILE:
        raise PositionError("no discards", "the upcard is missing (TO-06)", "name one card at least, the upcard last")
    for i, card in enumerate(reversed(stock)):
        s.stock[i] = card
    for i, card in enumerate(pile):
        s.pile[i] = card
    s.stock_count, s.pile_count = len(stock), len(pile)
    strange = set_of(stock) & ~int(of_age(s, s.stocks))
    if strange:
        why = "the last new stock was made without it (TO-Q5)"
        raise PositionError(f"{set_text(strange)} in the stock", why, "change stock or new_stocks")


def _first_to_act(s: State, hands: list[int]) -> int:
    """The first seat from eldest with a blitz, otherwise eldest."""
    n = int(s.seats)
    order = [p for p in ((s.dealer + 1 + i) % n for i in range(n)) if s.in_play >> p & 1]
    return int(next((p for p in order if hands[p].bit_count() == 3 and is_blitz(hands[p])), order[0]))


def _set_new_stocks(s: State, keys: dict[str, Any]) -> None:
    """The cards of each new stock made in this deal."""
    given = positions.listed(keys, "new_stocks", NEW_STOCKS, "write the cards of each new stock (TO-Q5)")
    size = int(s.rules.pack) - 1 - 3 * count(s.in_play)
    s.stocks = len(given)
    for age, text in enumerate(given, 1):
        cards = positions.Placing("", 0, pack_of(s)).cards("new_stocks", text)
        if len(cards) != size:
            why = f"it is made of {size} discards (TO-Q5)"
            raise PositionError(f"a new stock of {len(cards)} cards", why, "name all its cards")
        s.restocked[age] = set_of(cards)


def _held(s: State, keys: dict[str, Any]) -> list[list[Held]]:
    """The knowledge about the hands and the stock, for the cards that are to be dealt to them."""
    n = int(s.seats)
    known = positions.sets(dict(keys), "known", n)
    turn = positions.seat(dict(keys), "turn", n, 0)
    if s.drawn == FROM_PILE and "turn" in keys:
        known[turn] |= 1 << int(s.taken)
    held = [[holds(cards)] for cards in known]
    ages = keys.get("ages")
    if isinstance(ages, (list, tuple)) and len(ages) == n:  # `_set_known` refuses others
        for p, row in enumerate(ages):
            for age, number in enumerate(row[: s.stocks + 1] if isinstance(row, (list, tuple)) else ()):
                held[p].append(Held(int(of_age(s, age)) & ~known[p], number, number))
    older = pack_of(s) & ~int(of_age(s, s.stocks))
    return [*held, [lacks(older)] if "discards" in keys or s.drawn == FROM_PILE else []]


def _set_known(s: State, keys: dict[str, Any]) -> None:
    """Set the cards known to have been taken as upcards, and the number of hidden cards of each age in a hand."""
    n = int(s.seats)
    for p, cards in enumerate(positions.sets(keys, "known", n)):
        s.known[p] = cards
        if cards & ~int(s.hands[p]):
            what = f"seat {p} is known to hold {set_text(cards & ~int(s.hands[p]))}"
            raise PositionError(what, "it does not", "change its hand or known")
    if s.drawn == FROM_PILE:
        if not s.hands[s.turn] >> s.taken & 1:
            why = f"seat {int(s.turn)} does not hold it"
            raise PositionError(f"drawn = {card_text(s.taken)}", why, "change its hand or drawn")
        s.known[s.turn] |= 1 << s.taken
    for p in range(n):
        for card in cards_in(s.hands[p] & ~s.known[p]):
            s.hidden[p, age_of(s, card)] += 1
    ages = [[int(s.hidden[p, age]) for age in range(s.stocks + 1)] for p in range(n)]
    given = keys.pop("ages", ages)
    if given != ages:
        why = f"by the hands and new_stocks they are {ages}"
        raise PositionError(f"ages = {str(given)[:60]}", why, "change the hands, or leave ages out")


def _set_turn(s: State, keys: dict[str, Any]) -> None:
    """Whose turn it is, and whether that seat has a blitz to show."""
    turn = int(s.turn)
    if not s.in_play >> turn & 1 or turn == s.knocker:
        ends = "the hand ends when the turn comes back to the knocker"
        raise PositionError(f"turn = {turn}", ends if turn == s.knocker else "this seat is out", "change turn")
    holders = [p for p in range(s.seats) if s.in_play >> p & 1 and count(s.hands[p]) == 3 and is_blitz(s.hands[p])]
    if holders and (s.drawn or turn not in holders or (s.played and len(holders) > 1)):
        p = next((p for p in holders if p != turn), turn)
        why = "it had to show this blitz at once (TO-10)"
        raise PositionError(f"seat {p} holds {set_text(s.hands[p])}", why, "change its hand, or let it be its turn")
    s.showing = int(bool(holders))


def _set_turns(s: State, keys: dict[str, Any]) -> None:
    """Read `0 stock 9C, 1 9C 4D*, new stock`."""
    words = [word.strip() for word in positions.text(keys, "turns").split(",") if word.strip()]
    age = int(s.stocks) - words.count(NEW_STOCK)
    drawn = [0] * (NEW_STOCKS + 1)
    taken_up = 0
    for text in words:
        if text == NEW_STOCK:
            age += 1
            continue
        parts = text.split()
        if len(parts) != 3 or not parts[0].isdecimal() or int(parts[0]) >= s.seats or age < 0:
            why = "a turn is a seat, what it took and what it discarded, under one stock after the other"
            raise PositionError(f"turn {text[:40]!r}", why, HELP)
        taken = NO_CARD if parts[1] == "stock" else positions.card("turns", parts[1])
        drawn[age] += taken == NO_CARD
        taken_up += taken != NO_CARD
        most = int(s.rules.pack) - 1 - 3 * count(s.in_play) - (int(s.stock_count) if age == s.stocks else 0)
        if drawn[age] > most or taken_up > s.takes:
            why = "more cards were drawn than are gone from the stock, or more upcards taken than takes says"
            raise PositionError("turns", why, "change turns or takes")
        s.turns[s.turn_count] = turn_of(
            int(parts[0]), taken, positions.card("turns", parts[2].rstrip("*")), parts[2].endswith("*"), age
        )
        s.turn_count += 1
    s.played = max(int(s.played), int(s.turn_count))


def _check_past(s: State, p: int) -> None:
    """Check that a hand has a past that agrees with its turns and contains no blitz (TO-10)."""
    hand, secret = int(s.hands[p]), int(s.hands[p] & ~s.known[p])
    pasts = {(hand, secret)}
    if p == s.turn and s.drawn == FROM_PILE:
        pasts = {(hand & ~(1 << int(s.taken)), secret)}
    elif p == s.turn and s.drawn == FROM_STOCK:
        pasts = _before_draw(s, pasts, int(s.stocks))
    if not s.showing:
        pasts = {past for past in pasts if not is_blitz(past[0])}
    for turn in (int(s.turns[k]) for k in range(s.turn_count - 1, -1, -1)):
        if turn & 15 != p:
            continue
        taken, card = turn >> 4 & 63, 1 << (turn >> 10 & 63)
        pasts = {
            (hand | card, secret if turn >> 16 & 1 else secret | card) for hand, secret in pasts if not hand & card
        }
        if taken == NO_CARD:
            pasts = _before_draw(s, pasts, turn >> 17)
        else:
            pasts = {(hand & ~(1 << taken), secret) for hand, secret in pasts if hand & ~secret & 1 << taken}
        pasts = {past for past in pasts if not is_blitz(past[0])}
    if not pasts:
        why = "by its turns it cannot, or would have had to show a blitz before (TO-10)"
        raise PositionError(f"seat {p} holds {set_text(s.hands[p])}", why, "change its hand or turns")


def _before_draw(s: State, pasts: set[tuple[int, int]], age: int) -> set[tuple[int, int]]:
    """The possible hands before one of their hidden cards was drawn from the stock number `age`."""
    stock = int(s.restocked[age]) if age else pack_of(s)
    return {(hand & ~(1 << card), secret & ~(1 << card)) for hand, secret in pasts for card in cards_in(secret & stock)}
