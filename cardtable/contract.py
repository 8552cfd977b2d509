"""The contract: the fields and functions that every game gives, and the events its rules tell.

Seats are 0 .. seats-1 clockwise; the table itself (pot, stock, layout) is TABLE in events. A mask of seats has one bit
a seat. Rules are pure and trust their callers; `match.Match` checks.
"""

from __future__ import annotations

from typing import Any

from cardtable.kernel import Ints, Record, field, generic, luck, rule
from cardtable.kernel import cite as cite
from cardtable.kernel import cited as cited
from cardtable.kernel import implement as implement

MAX_SEATS = 12
MAX_EVENTS = 96
TABLE = 31  #: "seat" of the pot, the layout, the stock in events
EVERYBODY = 30  #: an event that all may see
NOBODY = 1 | 1 << MAX_SEATS + 1  #: returned by `standing`: the match is over and nobody has won it (a patience that failed)

# Kinds of events that games share; a game's own begin at OWN and are named by its words (`Words.SAYS`).
# The amount of LAY, CUT, DRAW and SHOW is a card.
DEAL, CUT, LAY, PASS, DRAW, DONE, PAY, TAKE, WIN, VOID, SHOW, SCORE = range(1, 13)
OWN = 32


class Table(Record):
    """The fields that all games share; a game's `State` extends it.

    What stands before `seats` is not part of what players know and is left out of hashes.
    """

    telling: int = field()  #: 1: tell events (0 in simulations)
    forgetful: int = field()  #: 1: nobody will redact or resample this deal again, so a game need not keep what plays prove of hidden cards
    told: int = field()  #: how many events the last move told
    events: Ints = field("i8", MAX_EVENTS, 2)  #: kind | source << 8 | target << 16 | who may see it << 24 | amount << 32; rule
    seed: Any = field("u8", 4)  #: the match's key
    rng: Any = field("u8", 4)  #: the deal's random words
    seats: int = field()
    in_play: int = field()  #: mask of the seats in this deal
    direction: int = field()  #: +1 clockwise, -1 counter-clockwise
    dealer: int = field()
    deal_number: int = field()  #: from 1; 0 before the first
    over: int = field()  #: 1: this deal is over
    winner: int = field()  #: of this deal, when it is over; -1 nobody


# The contract: every game implements each of these for its own State (see docs/adding-a-game.md).


@generic
def pack(s: Any, cards: Any) -> int:
    """Write the cards of a deal, in order, into cards (room for 112); return how many."""
    raise NotImplementedError


@generic
def start(s: Any) -> None:
    """Open the match: stacks, roles, first dealer. Chance comes from s.rng."""
    raise NotImplementedError


@generic
def deal(s: Any, cards: Any) -> None:
    """Deal the next deal from a shuffled pack, cards[0] on top."""
    raise NotImplementedError


@generic
def actors(s: Any) -> int:
    """Mask of the seats that may act now; 0: the deal is over."""
    raise NotImplementedError


@generic
def legal(s: Any, seat: int, moves: Any) -> int:
    """Write the legal moves of a seat that may act, ascending, into moves; return how many (at least 1)."""
    raise NotImplementedError


@generic
def play(s: Any, seat: int, move: int) -> None:
    """Play a legal move; it is not checked."""
    raise NotImplementedError


@generic
def redact(s: Any, seat: int) -> None:
    """Erase (to zero) what a seat may not know; -1 is a spectator. redact(redact(s, a), b) is what both know."""
    raise NotImplementedError


@generic
def resample(s: Any, seat: int, work: Any) -> None:
    """Fill a state redacted for seat with a uniform world, drawn with s.rng. work: a `worlds.Work` kept between calls."""
    raise NotImplementedError


@generic
def veil(s: Any, seat: int, move: int, viewer: int) -> int:
    """A move of a seat as that viewer may see it, asked before it is played; -1: nothing of it."""
    raise NotImplementedError


@generic
def idle(s: Any, move: int) -> int:
    """1 if a move is one by which its seat does nothing (a pass), for the statistics; else 0."""
    raise NotImplementedError


@generic
def payoff(s: Any, out: Any) -> None:
    """What each seat has won in this deal (out: floats, one a seat); higher is better."""
    raise NotImplementedError


@generic
def standing(s: Any, out: Any) -> int:
    """The match's scores (out: int64, one a seat); return 0 while the match goes on, and when it is over 1 (the highest
    scores win), `won_by` the mask of its winners, or NOBODY."""
    raise NotImplementedError


@rule
def won_by(winners: int) -> int:
    """What `standing` returns when the match is over and these seats, not those of the highest scores, have won it."""
    return 1 | winners << 1


@generic
def bounds(s: Any, out: Any) -> None:
    """What no deal exceeds under any play: out[0] moves, out[1] lowest and out[2] highest payoff."""
    raise NotImplementedError


@generic
def advise(s: Any, seat: int, moves: Any, n: int) -> int:
    """The move, of the n legal ones, that a sensible regular would make from what the seat knows (the bot `simple`)."""
    raise NotImplementedError


@rule
def tell(s: Any, kind: int, source: int, target: int, amount: int, why: int) -> None:
    """Note an event that everybody may see; payments of one kind, way and reason are added up."""
    if s.telling:
        note(s, EVERYBODY, kind, source, target, amount, why)


@rule
def tell_to(s: Any, viewer: int, kind: int, source: int, target: int, amount: int, why: int) -> None:
    """Note an event whose amount (or card) only `viewer` may see."""
    if s.telling:
        note(s, viewer, kind, source, target, amount, why)


@rule
def note(s: Any, viewer: int, kind: int, source: int, target: int, amount: int, why: int) -> None:
    """Write an event down: apart from `tell`, so that silence costs one test."""
    head = kind | source << 8 | target << 16 | viewer << 24
    k = s.told
    if kind == PAY:
        for i in range(s.told):
            if s.events[i, 0] & 0xFFFFFFFF == head and s.events[i, 1] == why:
                k = i
                amount += s.events[i, 0] >> 32
    if k < MAX_EVENTS:  # what does not fit is not told: cuts that tie again and again, for ever
        s.events[k, 0] = head | amount << 32
        s.events[k, 1] = why
        s.told = max(s.told, k + 1)


@rule
def hush(s: Any) -> None:
    """Forget the events of the last move; the first thing that `start`, `deal` and `play` do.

    They are erased: `redact` veils the events told, and a card drawn two moves ago is nobody else's to read behind them.
    """
    for i in range(s.told):
        s.events[i, 0] = s.events[i, 1] = 0
    s.told = 0


@rule
def veil_events(s: Any, seat: int) -> None:
    """Take the amounts that seat may not see out of the events (-1: unknown), and the random words: part of `redact`."""
    for i in range(s.told):
        viewer = s.events[i, 0] >> 24 & 0xFF
        if viewer != EVERYBODY and viewer != seat:
            s.events[i, 0] = (s.events[i, 0] & 0xFFFFFFFF) | -1 << 32
    for i in range(4):
        s.seed[i] = luck.U(0)
        s.rng[i] = luck.U(0)


@rule
def next_deal(s: Any, cards: Any) -> None:
    """Shuffle with the words of the next deal of s.seed, and deal it. cards: room for a pack."""
    luck.derive(s.rng, s.seed, s.deal_number + 1, luck.DEAL)
    luck.shuffle(s.rng, cards, pack(s, cards))
    deal(s, cards)


@rule
def open_match(s: Any) -> None:
    """The opening ceremony with the words of deal 0 of s.seed."""
    luck.derive(s.rng, s.seed, 0, luck.DEAL)
    start(s)
