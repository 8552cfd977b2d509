"""The texts that trick-taking games share: refusals, zones and positions. Plain Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardtable.base import card_names
from cardtable.base.cards import SUIT, card_text, cards_in, set_text, suit_of
from cardtable.base.errors import PositionError, Text
from cardtable.base.message import Card, Cards, Either, Message, Seat, Value, mark
from cardtable.games.shared import tricks
from cardtable.games.shared.scores import after
from cardtable.rules import positions
from cardtable.rules.contract import MAX_SEATS
from cardtable.rules.events import Told
from cardtable.rules.unlisted import lacks
from cardtable.rules.zones import Fact, Hand, HandOrder, Pile, Trick, Zone, cards_or_backs

#: The event that trick-taking games share.
EVENTS: Mapping[int, Told] = {
    tricks.TRICK: Told("trick", Message("{source} {source:takes|take} the trick ({amount} so far)"), joins=True)
}


def why_not_card(s: Any, seat: int, card: int, follow_rule: str) -> tuple[Text, str]:
    """Why a seat whose turn it is may not play a card: reason and rule."""
    if card >= 52 or not s.hands[seat] >> card & 1:
        return Message("you do not hold {card}", card=Card(card_text(card))), follow_rule
    held = Cards(set_text(tricks.allowed(s, seat)))
    return Message(
        "{suit} were led and you hold {held}", suit=card_names.SUITS[suit_of(s.trick[0])], held=held
    ), follow_rule


def trick_zone(s: Any) -> Trick:
    """The current trick: its cards in order of play, and who played them."""
    by, seat = [], int(s.leader)
    for _ in range(s.laid):
        by.append(seat)
        seat = int(after(s, seat, s.in_play))
    cards = tuple(card_text(s.trick[i]) for i in range(s.laid))
    return Trick("trick", (), cards, len(cards), () if by else (LEADS[s.leader],), leader=int(s.leader), by=tuple(by))


def hand_zone(s: Any, seat: int, viewer: int, order: HandOrder) -> Hand:
    """A seat's hand: its cards if the viewer holds it, otherwise their number; and its known void suits."""
    cards = cards_or_backs(s.hands[seat], seat == viewer, s.counts[seat])
    facts = (_voids(int(s.voids[seat])),) if s.voids[seat] and s.counts[seat] else ()
    return Hand(f"hand-{seat}", (seat,), cards, int(s.counts[seat]), facts, order=order)


def pile_zone(s: Any, seat: int, said: Fact | None = None) -> Zone:
    """The tricks that a seat has won, face down in front of it. said: what is said of them, if not just the number."""
    count = int(s.tricks[seat]) * bin(s.in_play).count("1")
    facts = (said or tricks_won(int(s.tricks[seat])),)
    return Pile(f"tricks-{seat}", (seat,), count=count, facts=facts, label=TRICKS, won=True)


TRICKS = Message("tricks", context="zone")
LEADS = [Fact(Message("{seat} {seat:leads|lead}", seat=Seat(seat))) for seat in range(MAX_SEATS)]


@lru_cache(256)
def tricks_won(n: int) -> Fact:
    """The number of tricks that a seat has won."""
    return Fact(Message("{n} {n:trick|tricks}", n=n), "tricks", n)


@lru_cache(16)
def _voids(suits: int) -> Fact:
    """The suits in which a seat is known to be void: a set, bit n for suit n."""
    named = [card_names.SUITS[suit] for suit in range(4) if suits >> suit & 1]
    value = positions.suits_text(suits)
    return Fact(Message("has no {suits}", suits=Either(named)), "voids", value, others=True, aid=True)


def due_of(s: Any, due: int) -> dict[str, Value]:
    """The numbers of cards held by the seat to act and required for another seat."""
    cards = mark("{n} {n:card|cards}")
    return {"have": Message(cards, n=int(s.counts[s.turn])), "seat": Seat(int(s.turn)), "wanted": Message(cards, n=due)}


def tricks_position(s: Any) -> dict[str, Any]:
    """The keys of a position that all trick-taking games have."""
    n = int(s.seats)
    keys: dict[str, Any] = {"hands": [set_text(s.hands[p]) for p in range(n)]}
    trick = [int(s.trick[i]) for i in range(s.laid)]
    if s.laid:
        keys["trick"] = " ".join(card_text(card) for card in trick)
    if before := int(s.played) & ~sum(1 << card for card in trick):
        keys["played"] = set_text(before)
    for name, row in (("tricks", s.tricks), ("scores", s.scores)):
        if any(row[p] for p in range(n)):
            keys[name] = [int(row[p]) for p in range(n)]
    if any(s.voids[p] for p in range(n)):
        keys["voids"] = [positions.suits_text(s.voids[p]) for p in range(n)]
    return keys


def set_tricks(
    s: Any,
    keys: dict[str, Any],
    cards: positions.Placing,
    shuffle: Callable[[list[int]], None],
    *,
    spare: int = 0,
    whole: bool = False,
    lacked: Sequence[int] = (),
) -> int:
    """Read the keys of `tricks_position`, for s.dealer, s.direction and s.in_play; return the number of tricks of the
    deal.

    spare: the dealer's extra cards before play. whole: cards that no key mentions have been played. lacked: by seat,
    cards that it is known not to hold, besides its voids. Raises PositionError.
    """
    n = int(s.seats)
    trick = cards.cards("trick", positions.text(keys, "trick"))
    played = cards.cards("played", positions.text(keys, "played"))
    hands = cards.hands(keys.pop("hands", None), n)
    s.turn = positions.seat(keys, "turn", n, int(after(s, s.dealer, s.in_play)))
    won = positions.numbers(keys, "tricks", n, [0] * n)
    scores = positions.numbers(keys, "scores", n, [0] * n)
    playing = [p for p in range(n) if s.in_play >> p & 1]
    if s.turn not in playing or len(trick) >= len(playing):
        raise PositionError(
            Message("turn = {turn}, a trick of {value} cards", turn=s.turn, value=len(trick)),
            Message("the seat to act is in play, and a full trick is taken at once"),
            Message("change turn or trick"),
        )
    s.laid, s.leader = len(trick), s.turn
    by = []
    for i in range(len(trick)):  # from the seat to act back to the leader
        s.leader = next(p for p in playing if after(s, p, s.in_play) == s.leader)
        s.trick[len(trick) - 1 - i] = trick[len(trick) - 1 - i]
        by.append(int(s.leader))
    _set_voids(s, keys, by, trick)
    rest = cards.rest(hands, shuffle, [[lacks(_barred(s, p) | (lacked[p] if lacked else 0))] for p in range(n)])
    played += rest if whole else []
    s.played = sum(1 << card for card in trick + played)
    for p in range(n):
        s.hands[p], s.counts[p], s.tricks[p], s.scores[p] = hands[p], bin(hands[p]).count("1"), won[p], scores[p]
    each = int(s.counts[s.turn]) - (spare if s.turn == s.dealer else 0)
    for p in range(n):
        due = 0 if p not in playing else each - (p in by) + (spare if p == s.dealer else 0)
        if s.counts[p] != due:
            if p not in playing:
                why = Message("it is not in this deal")
            elif p in by:
                why = Message(
                    "with {have} in the hand of {seat}, which is to act, it holds {wanted}, and has played to this "
                    "trick",
                    **due_of(s, due),
                )
            else:
                why = Message("with {have} in the hand of {seat}, which is to act, it holds {wanted}", **due_of(s, due))
            raise PositionError(
                Message("{seat} {seat:holds|hold} {counts} {counts:card|cards}", seat=Seat(p), counts=int(s.counts[p])),
                why,
                Message("give it {n} {n:card|cards}", n=due),
            )
    finished = sum(won)
    if (
        each < 1
        or min(won) < 0
        or any(won[p] for p in range(n) if p not in playing)
        or len(played) > finished * len(playing)
    ):
        raise PositionError(
            Message("tricks = {won}, {value} played cards", won=won, value=len(played)),
            Message(
                "{finished} tricks are {value} played cards, and some are still to be played",
                finished=finished,
                value=finished * len(playing),
            ),
            Message("change hands, tricks or played"),
        )
    _check_voids(s)
    return each + finished


def _set_voids(s: Any, keys: dict[str, Any], by: list[int], trick: list[int]) -> None:
    """Read the void suits of the seats, and add those shown by the current trick."""
    n = int(s.seats)
    what = Message("it is a list of {n} texts of suits", n=n)
    given = positions.texts(
        keys.pop("voids", [""] * n), "voids", n, what, Message('write "" for a seat of which nothing is known')
    )
    for p, text in enumerate(given):
        s.voids[p] = sum(1 << suit for suit in set(positions.suits(f"voids of seat {p}", text)))
    for p, card in zip(reversed(by), trick, strict=True):
        if suit_of(card) != suit_of(trick[0]):
            s.voids[p] |= 1 << suit_of(trick[0])


def _barred(s: Any, p: int) -> int:
    """The cards of the suits in which a seat is void."""
    return sum(SUIT << 13 * suit for suit in range(4) if s.voids[p] >> suit & 1)


def _check_voids(s: Any) -> None:
    """Refuse hands that contradict the voids."""
    for p in range(int(s.seats)):
        held = cards_in(int(s.hands[p]) & _barred(s, p))
        if held:
            raise PositionError(
                Message("{seat} {seat:holds|hold} {card}", seat=Seat(p), card=Card(card_text(held[0]))),
                Message("it has shown to hold no {suit}", suit=card_names.SUITS[suit_of(held[0])]),
                Message("change its hand, its voids or the trick"),
            )
