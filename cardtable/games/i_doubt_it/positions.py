"""Positions of I Doubt It: hands, the pile set by set, pending answers, and each seat's mind."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from cardtable.base.cards import RANKS, card_text, cards_in, parse_card
from cardtable.base.errors import NotationError, PositionError
from cardtable.games.i_doubt_it import mind_presentation as mind
from cardtable.games.i_doubt_it.knowledge import held_before
from cardtable.games.i_doubt_it.state import ACCEPTED, ANY_RANK, CARDS, DOUBTED, PACKS, PUBLIC, WAITING, State, add_into
from cardtable.rules import positions
from cardtable.rules.unlisted import Held, lacks

ANSWERS = ("", "accept", "doubt")  #: WAITING, ACCEPTED, DOUBTED
MIND = 'write for each seat and then for the spectators a text such as "7H:2 KC:0+2", or ""'


def position(s: State) -> dict[str, Any]:
    """A deal in play as keys."""
    n = int(s.seats)
    keys: dict[str, Any] = {
        "hands": [mind.text_of(s.hands[p]) for p in range(n)],
        "turn": int(s.turn),
        "laid": int(s.t),
        "pile": [mind.text_of(s.set_cards[i]) for i in range(s.sets)],
        "first": RANKS[s.first_rank] if s.rules.start_rank_any and s.first_rank != ANY_RANK else "",
        "draft": mind.text_of(s.draft) if s.draft[0] else "",
    }
    if s.window:
        keys["window"] = "open"
        if s.rules.doubt_mode_simultaneous:
            keys["answers"] = [ANSWERS[s.chosen[p]] for p in range(n)]
        else:
            keys["asked"] = int(s.asked)
    keys["mind"] = [
        " ".join(f"{card_text(card)}:{_seats(where)}" for card, where in mind.narrow(s, v)) for v in (*range(n), -1)
    ]
    return positions.brief(keys | {"scores": positions.ints(s.scores, n)}, "hands", "turn", "laid", "asked")


def _seats(where: int) -> str:
    return "+".join(str(p) for p in range(12) if where >> p & 1)


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    n = int(s.seats)
    what = "cards that are not named are out of this deal"
    positions.one_of(keys, "unlisted", ("absent",), "absent", what, 'leave it out, or write unlisted = "absent"')
    s.t = positions.number(keys, "laid", 0, int(s.rules.turn_cap) - 1, 0)
    s.turn = (int(s.dealer) + 1 + int(s.t)) % n
    turn = positions.seat(keys, "turn", n, int(s.turn))
    if turn != s.turn:
        why = f"with {s.t} laid from seat {(s.dealer + 1) % n} on it is the turn of seat {s.turn} (DB-13)"
        raise PositionError(f"turn = {turn}", why, "change turn, laid or dealer")
    what = "the last set may be doubted now, or not"
    window = positions.one_of(
        keys, "window", ("open", "closed"), "closed", what, 'write "open" or "closed"', code="position/syntax"
    )
    s.window = int(window == "open")
    _set_first(s, keys)
    _set_cards(s, keys, shuffle)
    _set_draft(s, keys)
    _set_answers(s, keys)
    _set_mind(s, keys)
    s.scores[:n] = positions.numbers(keys, "scores", n, [0] * n, low=0)


def _set_first(s: State, keys: dict[str, Any]) -> None:
    """The rank with which the deal began."""
    if not s.rules.start_rank_any:
        s.first_rank = 0
        return
    first = str(keys.pop("first", "")).strip().upper()
    if first == "" and s.t == 0 and not s.window:
        s.first_rank = ANY_RANK
    elif len(first) == 1 and first in RANKS:
        s.first_rank = RANKS.index(first)
    else:
        why = "with start_rank=any it is the rank with which the deal began (DB-05)"
        raise PositionError(f"first = {first[:40]!r}", why, 'write for instance first = "5"')


def _set_cards(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """The hands and the pile; who laid its sets follows from the order of turns."""
    n = int(s.seats)
    given = keys.pop("hands", None)
    pile = positions.listed(keys, "pile", CARDS, 'write the sets, the oldest first: pile = ["AS 4H", "2C"]')
    if not isinstance(given, (list, tuple)) or len(given) != n:
        given = positions.Placing("", 0).lists(given, n)  # explains the error
    last = int(s.t) - (0 if s.window else 1)  # the number of the last set laid, from 0
    by = [(int(s.dealer) + 1 + last - (len(pile) - 1 - i)) % n for i in range(len(pile))]
    cards = positions.Placing("", 0, copies=int(s.rules.decks))
    rows = cards.lists([*given, *pile], n + len(pile))
    for card in cards.rest_of(rows, shuffle, _held(s, keys, [*range(n), *by, n])):
        k = 0 if int(s.absent[0]) >> card & 1 == 0 and s.rules.decks == 1 else 1
        if k == 1 and int(s.absent[1]) >> card & 1:
            k = 0
        s.absent[k] |= 1 << card
    if len(pile) > last + 1 or (s.window and not pile):
        laid = "1 set has" if last == 0 else f"{last + 1} sets have"
        why = f"{laid} been laid, and one may be doubted only while it lies there"
        raise PositionError(f"a pile of {len(pile)}", why, "change pile, laid or window")
    s.sets = len(pile)
    for i, row in enumerate(rows[n:]):
        s.set_by[i] = by[i]
        s.set_size[i] = len(row)
        _fill(s.set_cards[i], row)
        if not 1 <= len(row) <= s.rules.max_set:
            why = f"a set has 1 to {s.rules.max_set} (DB-05, DB-Q4)"
            raise PositionError(f"a set of {len(row)} cards", why, "change the pile")
    for p in range(n):
        _fill(s.hands[p], rows[p])
        s.counts[p] = len(rows[p])
        if not rows[p] and not (s.window and p == s.turn and not s.rules.final_challenge_forced):
            why = "only whose set may be doubted now can be out of cards (DB-14, DB-Q7)"
            raise PositionError(f"seat {p} has no cards", why, "give it a card")


def _held(s: State, keys: dict[str, Any], owners: list[int]) -> list[list[Held]]:
    """The knowledge about the hands and sets of these seats (the number of seats: of the cards out of the deal), for
    the cards that are to be dealt to them: the possible owners of cards that no note mentions.
    """
    n = int(s.seats)
    barred = [0] * (n + 1)
    minds = keys.get("mind", ())
    for text in minds if isinstance(minds, (list, tuple)) else ():
        noted: dict[int, list[int]] = {}
        for card, where in (_note(word, n) for word in str(text).replace(",", " ").split()):
            noted.setdefault(card, []).append(where)
        for card, masks in noted.items():
            if len(masks) == s.rules.decks:
                for p in range(n + 1):
                    barred[p] |= (1 << card) * (not any(mask >> p & 1 for mask in masks))
    return [[lacks(barred[p])] for p in owners]


def _fill(row: Any, cards: list[int]) -> None:
    for card in cards:
        add_into(row, 1 << card, 0)


def _set_draft(s: State, keys: dict[str, Any]) -> None:
    """Set the set in preparation."""
    text = positions.text(keys, "draft")
    row = positions.Placing("", 0, copies=int(s.rules.decks)).cards("draft", text)
    _fill(s.draft, row)
    seat = int(s.turn)
    held = all(int(s.draft[k]) & ~int(s.hands[seat, k]) == 0 for k in range(PACKS))
    if row and (s.window or not held or s.first_rank == ANY_RANK or len(row) > s.rules.max_set):
        why = f"seat {seat}, whose turn it is, makes a set of at most {s.rules.max_set} of its cards (DB-05)"
        raise PositionError(f"draft = {text[:60]!r}", why, "change draft or the hand")


def _set_answers(s: State, keys: dict[str, Any]) -> None:
    """Set the pending and given answers."""
    n = int(s.seats)
    if not s.window:
        return
    if not s.rules.doubt_mode_simultaneous:
        s.asked = positions.seat(keys, "asked", n, (int(s.turn) + 1) % n)
        if s.asked == s.turn:
            why = "nobody is asked about their own set (DB-08)"
            raise PositionError(f"asked = {s.asked}", why, "name another seat")
        return
    given = positions.rows(keys, "answers", n, "write accept, doubt or nothing for each")
    if not set(given) <= set(ANSWERS):
        raise positions.unreadable(f"answers = {given}", "each is accept or doubt, or empty", f"write {n} texts")
    for p, answer in enumerate(given):
        s.chosen[p] = (WAITING, ACCEPTED, DOUBTED)[ANSWERS.index(answer)]
    waiting = [p for p in range(n) if p != s.turn and s.chosen[p] == WAITING]
    if not waiting or s.chosen[s.turn] != WAITING:
        why = "somebody is still to answer, and nobody answers about their own set (DB-08)"
        raise PositionError(f"answers = {given}", why, "leave one of the others empty")


def _set_mind(s: State, keys: dict[str, Any]) -> None:
    """Each seat's mind: its own cards and the given notes, which must agree with the actual cards."""
    n = int(s.seats)
    given = positions.rows(keys, "mind", n + 1, MIND)
    # of each kind: the hands in which its cards were when the pile was last empty
    holders: list[list[int]] = [[] for _ in range(52)]
    for p in range(n):
        row = np.zeros(PACKS, np.int64)
        held_before(s, p, row)
        for k in range(PACKS):
            for card in cards_in(row[k]):
                holders[card].append(p)
    copies = [[k for k in range(int(s.rules.decks)) if not int(s.absent[k]) >> card & 1] for card in range(52)]
    for v in range(n + 1):
        s.may[PUBLIC if v == n else v, :n] = _one_mind(v, n, given[v], holders, copies)


def _one_mind(v: int, n: int, text: str, holders: list[list[int]], copies: list[list[int]]) -> list[list[int]]:
    """The rows of `may` of seat v (n: the spectators)."""
    others = ((1 << n) - 1) & ~(1 << v)
    notes: dict[int, list[int]] = {}
    for word in text.replace(",", " ").split():
        card, where = _note(word, n)
        if where & ~others:
            why = "it names other seats than those it cannot see"
            raise PositionError(f"{word} in the mind of {_who(v, n)}", why, MIND)
        notes.setdefault(card, []).append(where)
    # of each copy: the kinds for each mask of hands where it may be
    kinds: list[dict[int, int]] = [{} for _ in range(PACKS)]
    for card in range(52):
        unseen = [p for p in holders[card] if p != v]
        masks = notes.pop(card, [])
        if len(masks) > len(unseen):
            why = f"there are {len(unseen)} that the seat does not see"
            raise PositionError(f"{card_text(card)} in the mind of {_who(v, n)}", why, MIND)
        if masks:
            masks = masks + [others] * (len(unseen) - len(masks))
            if not _agrees(masks, unseen):
                what = f"{card_text(card)} in the mind of {_who(v, n)}"
                raise PositionError(what, "it lies elsewhere", "change the hands, the pile or the mind")
        places = [1 << v] * (len(holders[card]) - len(unseen)) + (masks or [others] * len(unseen))
        for k, where in zip(copies[card], places, strict=True):
            kinds[k][where] = kinds[k].get(where, 0) | 1 << card
    return [[sum(mask for where, mask in kinds[k].items() if where >> p & 1) for k in range(PACKS)] for p in range(n)]


def _agrees(masks: list[int], holders: list[int]) -> bool:
    """Whether a mind allows the cards of a kind to be where they are."""
    return any(
        len(set(order)) == len(order) and all(masks[i] >> holders[j] & 1 for i, j in enumerate(order))
        for order in product(range(len(holders)), repeat=len(masks))
    )


def _who(v: int, n: int) -> str:
    return "the spectators" if v == n else f"seat {v}"


def _note(word: str, n: int) -> tuple[int, int]:
    """`7H:0+2` as card and mask of seats."""
    name, _, rest = word.partition(":")
    seats = rest.split("+")
    try:
        card = parse_card(name)
    except NotationError as error:
        raise positions.unreadable(f"mind: {word[:40]!r}", error.parts[1], MIND) from None
    if card >= 52 or not all(part.isdecimal() and len(part) <= 2 and int(part) < n for part in seats):
        raise positions.unreadable(f"mind: {word[:40]!r}", f"a card and the seats that may have it, 0 to {n - 1}", MIND)
    return card, sum(1 << int(part) for part in set(seats))


__all__ = ["position", "set_position"]
