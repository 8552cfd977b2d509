"""The rules of I Doubt It (DB), compiled.

A set is made card by card, in ascending order, and laid by DONE; until then no choice is visible. Then the other
players ACCEPT or DOUBT it: one after another, or all at once in secret.
"""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import RANK
from cardtable.games.i_doubt_it.knowledge import first_mind, pile_taken
from cardtable.games.i_doubt_it.policy import heuristic, slip
from cardtable.games.i_doubt_it.possible import resample
from cardtable.games.i_doubt_it.state import (
    ACCEPT,
    ACCEPTED,
    ACTIONS,
    ANY_RANK,
    DONE,
    DOUBT,
    DOUBTED,
    MAX_MOVES,
    NAME,
    SEATS,
    WAITING,
    State,
    add_into,
    due,
    pile_size,
    size,
    take_from,
)
from cardtable.games.i_doubt_it.weights import put
from cardtable.games.shared.scores import everyone, open_deal
from cardtable.kernel import rule
from cardtable.kernel.bits import lowest
from cardtable.rules.contract import (
    DEAL,
    OWN,
    SHOW,
    TABLE,
    VOID,
    WIN,
    cite,
    clear_events,
    emit,
    emit_at,
    emit_card,
    implement,
    list_cards,
    list_if,
    redact_events,
)

__all__ = ["ACTIONS", "MAX_MOVES", "State"]

# Events: a card is laid as one of a rank, or several are; a rank to begin with is named; and the consequences.
ONE, MORE, NAMED, ACCEPTS, DOUBTS, HONEST, LIAR, TAKES_PILE, SHOWS_TWO = range(OWN, OWN + 9)


@rule
def pack(s: State, cards: Any) -> int:
    for i in range(52 * s.rules.decks):  # DB-03
        cards[i] = i % 52
    return int(52 * s.rules.decks)


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    open_deal(s, everyone(s))
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("DB-04"))
    for p in range(SEATS):
        s.counts[p] = s.hands[p, 0] = s.hands[p, 1] = 0
    s.absent[:] = 0
    s.turn = (s.dealer + 1) % s.seats  # DB-05
    p = s.turn
    for i in range(52 * s.rules.decks):  # DB-04: singly, until all are dealt
        add_into(s.hands[p], 1 << cards[i], 0)
        s.counts[p] += 1
        p = p + 1 if p + 1 < s.seats else 0
    s.t = 0
    s.first_rank = ANY_RANK if s.rules.start_rank_any else 0
    clear_pile(s)
    s.draft[:] = 0
    close(s)
    first_mind(s)


@rule
def clear_pile(s: State) -> None:
    """Empty the pile."""
    for i in range(s.sets):
        s.set_by[i] = s.set_size[i] = 0
        s.set_cards[i, :] = 0
    s.sets = 0


@rule
def close(s: State) -> None:
    """Close the window: doubts are no longer possible."""
    s.window = s.asked = 0
    s.chosen[:] = WAITING


@rule
def actors(s: State) -> int:
    if s.over:
        return 0
    if not s.window:
        return 1 << s.turn
    if not s.rules.doubt_mode_simultaneous:
        return 1 << s.asked
    waiting = 0
    for p in range(s.seats):
        if p != s.turn and s.chosen[p] == WAITING:
            waiting |= 1 << p
    return waiting


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    if s.window:  # DB-08
        moves[0] = ACCEPT
        moves[1] = DOUBT
        return 2
    if s.first_rank == ANY_RANK:
        for r in range(13):
            moves[r] = NAME + r
        return 13
    drafted = size(s.draft[0], s.draft[1])
    k = list_cards(moves, 0, open_cards(s, seat) if drafted < s.rules.max_set else 0)  # DB-Q4
    return list_if(moves, k, DONE, drafted > 0)  # DB-05: one card at least


@rule
def open_cards(s: State, seat: int) -> int:
    """The kinds of which a card may be put into the set: none below the last one, and of this one the second card."""
    if s.draft[0] == 0:
        return int(s.hands[seat, 0])
    last = s.draft[0]
    while last & last - 1:
        last &= last - 1
    again = last & s.hands[seat, 1] & ~s.draft[1]
    return int(s.hands[seat, 0] & ~((last << 1) - 1) | again)


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if move >= NAME:
        s.first_rank = move - NAME
        emit_at(s, NAMED, seat, TABLE, -1, s.first_rank, 0, cite("DB-05"))
    elif move < DONE:
        add_into(s.draft, 1 << move, 0)
    elif move == DONE:
        lay(s, seat)
    elif s.rules.doubt_mode_simultaneous:
        answer_unseen(s, seat, move)
    else:
        answer(s, seat, move)


@rule
def lay(s: State, seat: int) -> None:
    """The set goes face down on the pile, and the rank due is declared (DB-05 to DB-07, DB-Q3)."""
    low, high = s.draft[0], s.draft[1]
    cards = size(low, high)
    s.draft[:] = 0
    take_from(s.hands[seat], low, high)
    s.counts[seat] -= cards
    i = s.sets
    s.set_by[i] = seat
    s.set_size[i] = cards
    s.set_cards[i, 0], s.set_cards[i, 1] = low, high
    s.sets += 1
    emit_at(
        s, ONE if cards == 1 else MORE, seat, TABLE, -1, due(s), cards, cite("DB-05") if s.t == 0 else cite("DB-06")
    )
    next_seat = (seat + 1) % s.seats
    if s.rules.final_challenge_forced and s.counts[seat] == 0:  # DB-Q6
        challenge(s, next_seat, cite("DB-Q6"))
    else:
        s.window = 1
        if not s.rules.doubt_mode_simultaneous:
            s.asked = next_seat


@rule
def answer(s: State, seat: int, move: int) -> None:
    """One after another: the first doubt closes the window (DB-Q1)."""
    if move == DOUBT:
        emit(s, DOUBTS, seat, s.turn, 0, cite("DB-08"))
        challenge(s, seat, cite("DB-09"))
        return
    emit(s, ACCEPTS, seat, s.turn, 0, cite("DB-08"))
    s.asked = (seat + 1) % s.seats
    if s.asked == s.turn:
        settled(s)


@rule
def answer_unseen(s: State, seat: int, move: int) -> None:
    """All at once: the last answer shows them all; the doubter nearest to the player's left is the challenger
    (DB-Q1).
    """
    s.chosen[seat] = DOUBTED if move == DOUBT else ACCEPTED
    if actors(s):
        return
    challenger = -1
    p = s.turn
    for _ in range(s.seats - 1):
        p = (p + 1) % s.seats
        if s.chosen[p] == DOUBTED:
            emit(s, DOUBTS, p, s.turn, 0, cite("DB-08"))
            if challenger < 0:
                challenger = p
        else:
            emit(s, ACCEPTS, p, s.turn, 0, cite("DB-08"))
    if challenger < 0:
        settled(s)
    else:
        challenge(s, challenger, cite("DB-09"))


@rule
def challenge(s: State, challenger: int, why: int) -> None:
    """The last set, and only that, is turned up; one of the two takes the pile (DB-09 to DB-11)."""
    i = s.sets - 1
    low, high = s.set_cards[i, 0], s.set_cards[i, 1]
    show(s, low, high, why)
    if low & ~(RANK << due(s)):  # DB-10: one wrong card is enough (DB-Q3)
        emit(s, LIAR, s.turn, challenger, 0, cite("DB-10"))
        take_pile(s, s.turn, cite("DB-10"))
    else:
        emit(s, HONEST, s.turn, challenger, 0, cite("DB-11"))
        # DB-Q6: no doubt, and the deal is over
        if not (s.rules.final_challenge_forced and s.counts[s.turn] == 0):
            take_pile(s, challenger, cite("DB-11"))
    settled(s)


@rule
def show(s: State, low: int, high: int, why: int) -> None:
    """Show the cards of a set to all."""
    cards = low
    while cards:
        kind = lowest(cards)
        cards &= cards - 1
        emit_card(s, SHOWS_TWO if high >> kind & 1 else SHOW, s.turn, TABLE, kind, why)


@rule
def take_pile(s: State, taker: int, why: int) -> None:
    """A seat takes the whole pile into its hand, the set turned up included."""
    pile_taken(s, taker, 1)
    cards = pile_size(s)
    emit(s, TAKES_PILE, taker, TABLE, cards, why)
    for i in range(s.sets):
        add_into(s.hands[taker], s.set_cards[i, 0], s.set_cards[i, 1])
    s.counts[taker] += cards
    clear_pile(s)


@rule
def settled(s: State) -> None:
    """The set can no longer be doubted: its player has won, or the next seat lays a set of the next rank (DB-12 to
    DB-14).
    """
    close(s)
    if s.counts[s.turn] == 0:  # DB-14, DB-Q7
        s.over = 1
        s.winner = s.turn
        s.scores[s.turn] += 1
        s.gained[s.turn] = 1
        emit(s, WIN, s.turn, TABLE, 0, cite("DB-14"))
        return
    s.t += 1
    if s.t >= s.rules.turn_cap:  # DB-Q9
        s.over = 1
        emit(s, VOID, TABLE, TABLE, 0, cite("DB-Q9"))
        return
    s.turn = (s.turn + 1) % s.seats  # DB-13


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    if s.over:  # hands and pile are turned up at the end
        return
    for p in range(s.seats):
        if p != seat:
            s.chosen[p] = WAITING
            s.hands[p, :] = 0
            s.may[p, :, :] = 0
    if s.turn != seat:
        s.draft[:] = 0
    for i in range(s.sets):
        if s.set_by[i] != seat:
            s.set_cards[i, :] = 0


@rule
def observed(s: State, seat: int, move: int, viewer: int) -> int:
    heard = move == DONE or move >= NAME or (s.window and not s.rules.doubt_mode_simultaneous)
    return move if viewer == seat or heard else -1


@rule
def is_pass(s: State, move: int) -> int:
    return int(move == ACCEPT)


@rule
def bounds(s: State, out: Any) -> None:
    most = min(s.rules.max_set, 52 * s.rules.decks)
    # each set: its cards and DONE, then the others' answers; once the rank named
    out[0] = s.rules.turn_cap * (most + s.seats) + 1
    out[1], out[2] = 0.0, 1.0


implement(State, pack, deal, actors, legal, play, redact, resample, put, observed, is_pass, bounds, heuristic, slip)
