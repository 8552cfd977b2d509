"""The contract: the fields and functions that every game gives, and the events that its rules emit.

Seats are 0 .. seats-1 clockwise; the table itself (pot, stock, layout) is TABLE in events. A mask of seats has one
bit for each seat. Rules are pure and trust their callers; `match.Match` checks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import RANKS, rank_of, suit_of
from cardtable.base.types import MoveCode, SeatNumber
from cardtable.kernel import Record, bits, chosen, field, generic, prng, rule
from cardtable.kernel import cite as cite
from cardtable.kernel import cited as cited
from cardtable.kernel import defaults as defaults
from cardtable.kernel import implement as implement
from cardtable.kernel.bits import lowest

if TYPE_CHECKING:
    from cardtable.rules.worlds import Work

bits.divide_by(len(RANKS), suit_of, rank_of)  # every game's rules import this module before they are compiled

MAX_SEATS = 12
MAX_EVENTS = 96
TABLE = 31  #: "seat" of the pot, the layout, the stock in events
EVERYBODY = 30  #: an event that all may see
#: returned by `standing`: the match is over without a winner (a patience that failed)
NOBODY = 1 | 1 << MAX_SEATS + 1

UNKNOWN, IMPOSSIBLE = -1, -2  #: answers of `held_before`

# An event is three integers. WHAT has one byte for each of: kind, source, target, who may see its card, card + 1 and
# place + 1 (0: no card, no place). WHY is the rule.
WHAT, AMOUNT, WHY = range(3)
HIDDEN = 255  #: in the card's byte: this viewer may not see it

# Kinds of events that games share; a game's own begin at OWN and its texts name them (`EVENTS` in presentation.py).
# LAY, CUT, DRAW and SHOW have a card.
DEAL, CUT, LAY, PASS, DRAW, DONE, PAY, TAKE, WIN, VOID, SHOW, SCORE = range(1, 13)
OWN = 32


class HouseRules(Record):
    """The fields that every `s.rules` has; the others follow from the game's options (`compiled_options`)."""

    first_dealer: int = field()  #: seat + 1; 0: by lot; below 0: by a cut, as the game defines

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """A field that follows from an option."""

        def __setattr__(self, name: str, value: Any) -> None: ...


class Table(Record):
    """The fields that all games share; a game's `State` extends it.

    The fields before `seats` are not known to players and are excluded from hashes.
    """

    record_events: int = field()  #: 1: events are recorded (0 in simulations)
    #: 1: hidden-card knowledge is not recorded, because this deal is never redacted or resampled again
    untracked: int = field()
    event_count: int = field()  #: how many events the last move brought about
    events: NDArray[np.int64] = field("i8", MAX_EVENTS, 3)  #: WHAT, AMOUNT, WHY of each
    seed: prng.Words = field("u8", 4)  #: the match's key
    rng: prng.Words = field("u8", 4)  #: the deal's random words
    seats: int = field()
    in_play: int = field()  #: mask of the seats in this deal
    direction: int = field()  #: +1 clockwise, -1 counter-clockwise
    dealer: int = field()
    deal_number: int = field()  #: from 1; 0 before the first
    over: int = field()  #: 1: this deal is over
    winner: int = field()  #: of this deal, when it is over; -1 none


if TYPE_CHECKING:

    class State(Table):
        """A state of an unknown game: the fields that its game adds are Any."""

        dtype: ClassVar[Any]
        rules: HouseRules

        def __getattr__(self, name: str) -> Any: ...
        def __setattr__(self, name: str, value: Any) -> None: ...
else:
    State = Table


# The contract: every game implements each of these for its own State (see docs/adding-a-game.md), except those with a
# default.


@generic
def pack(s: Table, cards: NDArray[np.int64]) -> int:
    """Write the cards of a deal, in order, into cards (room for 112); return how many."""
    raise NotImplementedError


@generic
def start(s: Table) -> None:
    """Open the match: stacks, roles, first dealer. Chance comes from s.rng."""
    raise NotImplementedError


@generic
def deal(s: Table, cards: NDArray[np.int64]) -> None:
    """Deal the next deal from a shuffled pack, cards[0] on top."""
    raise NotImplementedError


@generic
def actors(s: Table) -> int:
    """Mask of the seats that may act now; 0: the deal is over."""
    raise NotImplementedError


@generic
def legal(s: Table, seat: SeatNumber, moves: NDArray[np.int64]) -> int:
    """Write the legal moves of a seat that may act, ascending, into moves; return how many (at least 1)."""
    raise NotImplementedError


@generic
def play(s: Table, seat: SeatNumber, move: MoveCode) -> None:
    """Play a legal move; it is not checked."""
    raise NotImplementedError


@generic
def redact(s: Table, seat: int) -> None:
    """Erase (set to zero) everything that a seat may not know; -1 is a spectator. redact(redact(s, a), b) is what
    both know."""
    raise NotImplementedError


@generic
def resample(s: Table, seat: SeatNumber, work: Work) -> None:
    """Fill a state redacted for seat with a uniform world, drawn with s.rng. work: a `worlds.Work` kept between
    calls.
    """
    raise NotImplementedError


@generic
def unseen(s: Table, seat: SeatNumber, sets: NDArray[np.int64]) -> int:
    """Write the cards at each place that a seat cannot see into, in this world (a state filled for the seat), one set
    a place; return the number of places, at most MAX_SEATS + 4. Place p < seats is the hand of p (empty for the
    seat itself). 0: the game's worlds are not made of sets."""
    raise NotImplementedError


@generic
def may_hold(s: Table, seat: SeatNumber, place: int, cards: int) -> bool:
    """Whether the facts in a state redacted for a seat allow this set of cards at a place."""
    raise NotImplementedError


@generic
def put(s: Table, place: int, cards: int) -> None:
    """Put a set of cards at a place of a redacted state; s.rng gives the order where there is one."""
    raise NotImplementedError


@generic
def held_before(s: Table, who: SeatNumber, move: MoveCode, cards: int, rng: prng.Words) -> int:
    """The hand of a seat before a move, made in this redacted state, after which it held these cards; UNKNOWN if
    undetermined, IMPOSSIBLE if it cannot have held these. rng: draws one of several possible hands.

    move: as the viewer has seen it (`observed`), and not hidden.
    """
    raise NotImplementedError


@generic
def odds_before(s: Table, who: SeatNumber, move: MoveCode, before: int, after: int) -> float:
    """By how much what `held_before` has drawn, of several hands, is likelier than it draws it: a logarithm; 0 where it
    draws each with its own chance."""
    raise NotImplementedError


@generic
def observed(s: Table, seat: SeatNumber, move: MoveCode, viewer: int) -> MoveCode:
    """A move of a seat as that viewer may see it, asked before it is played; -1: nothing of it."""
    raise NotImplementedError


@generic
def is_pass(s: Table, move: MoveCode) -> int:
    """1 if a move is one by which its seat does nothing (a pass), for the statistics; else 0."""
    raise NotImplementedError


@generic
def action_of(s: Table, move: MoveCode) -> int:
    """The number of a legal move among the game's actions: 0 to its `ACTIONS` - 1, as research environments count."""
    raise NotImplementedError


@generic
def move_of(s: Table, action: int) -> MoveCode:
    """The move whose number among the game's actions this is; the inverse of `action_of`."""
    raise NotImplementedError


@generic
def payoff(s: Table, out: NDArray[np.float64]) -> None:
    """What each seat has won in this deal (out: floats, one a seat); higher is better."""
    raise NotImplementedError


@generic
def standing(s: Table, out: NDArray[np.int64]) -> int:
    """The match's scores (out: int64, one a seat); return 0 while the match continues, and when it is over 1 (the
    highest scores win), `won_by` the mask of its winners, or NOBODY."""
    raise NotImplementedError


@rule
def won_by(winners: int) -> int:
    """The result of `standing` when the match is over and these seats, not those with the highest scores, have won
    it.
    """
    return 1 | winners << 1


@generic
def bounds(s: Table, out: NDArray[np.float64]) -> None:
    """Bounds that no deal exceeds, however it is played: out[0] moves, out[1] lowest and out[2] highest payoff."""
    raise NotImplementedError


@generic
def heuristic(s: Table, seat: SeatNumber, moves: NDArray[np.int64], n: int) -> MoveCode:
    """The move, of the n legal ones, that a sensible regular would make from what the seat knows (the bot `medium`).

    Called again with only some of them, it returns the best of these, or a move that is not among them if it has no
    other (the bot `soft`).
    """
    raise NotImplementedError


@generic
def slip(s: Table, seat: SeatNumber, meant: MoveCode, made: MoveCode) -> bool:
    """Whether a person who intends one legal move might make another, because they overlooked the first: a plausible
    human mistake (the bot `soft`).
    """
    raise NotImplementedError


@generic
def slipped(s: Table, seat: SeatNumber, meant: MoveCode) -> MoveCode:
    """The legal move that a player makes in a deal played out by search, who means the heuristic's: the same, or by
    chance (`s.rng`) another. A game needs this if nothing is hidden for a part of a deal: otherwise search foresees
    every answer there, and a move either wins for certain or loses for certain.
    """
    raise NotImplementedError


# Defaults: these functions as most games have them.


@rule
def one_pack(s: Any, cards: Any) -> int:
    """The 52 cards."""
    for card in range(52):
        cards[card] = card
    return 52


@rule
def whose_turn(s: Any) -> int:
    """Mask of the seat whose `turn` it is; 0 when the deal is over."""
    return 0 if s.over else 1 << s.turn


@rule
def open_move(s: Any, seat: int, move: int, viewer: int) -> int:
    """Everybody sees the whole move."""
    return move


@rule
def no_pass(s: Any, move: int) -> int:
    """There is no pass."""
    return 0


@rule
def same_number(s: Any, move: int) -> int:
    """Moves are their own numbers among the actions."""
    return move


@rule
def no_sets(s: Any, seat: int, sets: Any) -> int:
    """Worlds are not made of sets."""
    return 0


@rule
def may_hold_any(s: Any, seat: int, place: int, cards: int) -> bool:
    """No fact is known."""
    return True


@rule
def put_nothing(s: Any, place: int, cards: int) -> None:
    """Worlds are not made of sets."""


@rule
def not_known(s: Any, who: int, move: int, cards: int, rng: Any) -> int:
    """The previous hand does not follow from the current one."""
    return UNKNOWN


@rule
def drawn_fairly(s: Any, who: int, move: int, before: int, after: int) -> float:
    """Of several hands, each is drawn with its own chance."""
    return 0.0


@rule
def other_card(s: Any, seat: int, meant: int, made: int) -> bool:
    """People play one card for another; any other move has no substitute."""
    return meant < 52 and made < 52


@rule
def as_meant(s: Any, seat: int, meant: int) -> int:
    """Nobody slips: hidden cards are chance enough."""
    return meant


defaults(
    Table,
    pack=one_pack,
    actors=whose_turn,
    observed=open_move,
    is_pass=no_pass,
    action_of=same_number,
    move_of=same_number,
    unseen=no_sets,
    may_hold=may_hold_any,
    put=put_nothing,
    held_before=not_known,
    odds_before=drawn_fairly,
    slip=other_card,
    slipped=as_meant,
)


def makes_sets(kind: type[Record]) -> bool:
    """Whether a game's worlds are made of sets (`unseen`), so that they can be weighted. kind: of its states."""
    return chosen(unseen, kind) is not no_sets


# Parts of `legal` and `redact` that games share.


@rule
def list_cards(moves: Any, k: int, cards: int) -> int:
    """Write the cards of a set, ascending, from moves[k] on; return where the next move goes."""
    while cards:
        moves[k] = lowest(cards)
        cards &= cards - 1
        k += 1
    return k


@rule
def listed_cards(moves: Any, n: int) -> int:
    """The set of the cards (moves 0 to 51) among the first n moves."""
    cards = 0
    for i in range(n):
        if moves[i] < 52:
            cards |= 1 << moves[i]
    return cards


@rule
def list_if(moves: Any, k: int, move: int, may: bool) -> int:
    """Write a move at moves[k] if it is legal; return the index of the next one."""
    if may:
        moves[k] = move
        k += 1
    return k


@rule
def hide_hands(s: Any, seat: int) -> None:
    """Erase the hands of all seats but one."""
    for p in range(s.seats):
        if p != seat:
            s.hands[p] = 0


# Events. Where they are not recorded, emitting one costs a single test.


@rule
def emit(s: Any, kind: int, source: int, target: int, amount: int, why: int) -> None:
    """Record an event that has at most an amount; payments between the same seats for the same reason are added up."""
    if s.record_events:
        append_event(s, kind | source << 8 | target << 16 | EVERYBODY << 24, amount, why)


@rule
def emit_card(s: Any, kind: int, source: int, target: int, card: int, why: int) -> None:
    """Record an event with a card that everybody sees."""
    if s.record_events:
        append_event(s, kind | source << 8 | target << 16 | EVERYBODY << 24 | card + 1 << 32, 0, why)


@rule
def emit_card_to(s: Any, viewer: int, kind: int, source: int, target: int, card: int, why: int) -> None:
    """Record an event whose card only `viewer` may see."""
    if s.record_events:
        append_event(s, kind | source << 8 | target << 16 | viewer << 24 | card + 1 << 32, 0, why)


@rule
def emit_at(s: Any, kind: int, source: int, target: int, card: int, place: int, amount: int, why: int) -> None:
    """Record an event at a place: a suit, a rank, a column, as the game's texts define. -1: it has no card, or no
    place.
    """
    if s.record_events:
        append_event(
            s, kind | source << 8 | target << 16 | EVERYBODY << 24 | card + 1 << 32 | place + 1 << 40, amount, why
        )


@rule
def append_event(s: Any, what: int, amount: int, why: int) -> None:
    """Record an event; not a part of `emit`, so that only one test is compiled into its callers."""
    k = s.event_count
    if what & 0xFF == PAY:
        for i in range(s.event_count):
            if s.events[i, WHAT] == what and s.events[i, WHY] == why:
                k = i
                amount += s.events[i, AMOUNT]
    if k < MAX_EVENTS:  # what does not fit is dropped: cuts may tie again and again
        s.events[k, WHAT], s.events[k, AMOUNT], s.events[k, WHY] = what, amount, why
        s.event_count = max(s.event_count, k + 1)


@rule
def clear_events(s: Any) -> None:
    """Erase the events of the last move; `start`, `deal` and `play` do this first.

    They are set to zero, because `redact` hides cards only in current events: earlier events must not remain readable
    behind them.
    """
    for i in range(s.event_count):
        s.events[i, WHAT] = s.events[i, AMOUNT] = s.events[i, WHY] = 0
    s.event_count = 0


@rule
def redact_events(s: Any, seat: int) -> None:
    """Hide the cards that seat may not see in the events, and erase the random words: part of `redact`."""
    for i in range(s.event_count):
        viewer = s.events[i, WHAT] >> 24 & 0xFF
        if viewer != EVERYBODY and viewer != seat:
            s.events[i, WHAT] |= HIDDEN << 32
    for i in range(4):
        s.seed[i] = prng.U(0)
        s.rng[i] = prng.U(0)


@rule
def next_deal(s: Any, cards: Any) -> None:
    """Shuffle with the words of the next deal of s.seed, and deal it. cards: room for a pack."""
    prng.derive(s.rng, s.seed, s.deal_number + 1, prng.DEAL)
    prng.shuffle(s.rng, cards, pack(s, cards))
    deal(s, cards)


@rule
def open_match(s: Any) -> None:
    """The opening ceremony with the words of deal 0 of s.seed."""
    prng.derive(s.rng, s.seed, 0, prng.DEAL)
    start(s)
