"""The rules of Crazy Eights (CE), compiled."""

from __future__ import annotations

from typing import Any

from cardtable import worlds
from cardtable.contract import DEAL, DRAW as DREW, LAY, OWN, PASS as PASSED, SCORE, TABLE, VOID, WIN, hush, implement, tell, tell_to, veil_events
from cardtable.games.crazy_eights.advice import advise
from cardtable.games.crazy_eights.pools import fill_hands, give, leave, open_pool, prove, redact_hands
from cardtable.games.crazy_eights.state import (
    BURY, CARDS, DEALER_NAMES, DRAW, EIGHTS, JOKERS, KIND, LABEL, MAX_MOVES, NAME, NAMED_8, PASS, POOLS, RANDOM, SEAT_0, WILD, State, can_draw, hand, playable, setup,
)  # fmt: skip
from cardtable.kernel import cite, luck, rule
from cardtable.kernel.bits import count, lowest

__all__ = ["MAX_MOVES", "State", "reshuffle", "setup"]

TURNED_UP, BURIED, RESHUFFLED, NAMED = OWN, OWN + 1, OWN + 2, OWN + 3  # events; NAMED + a suit


@rule
def pack(s: State, cards: Any) -> int:
    """CE-03: one or two packs, each with its jokers."""
    k = 0
    for _ in range(s.rules.decks):
        for card in range(52 + s.rules.jokers):
            cards[k] = card
            k += 1
    return k


@rule
def start(s: State) -> None:
    """The first dealer, by lot or by name; nobody has scored."""
    hush(s)
    for p in range(s.seats):
        s.score[p] = 0
    s.deal_number = 0
    s.direction = 1
    s.over = 1
    s.winner = -1
    s.dealer = luck.below(s.rng, s.seats) if s.rules.first_dealer == RANDOM else s.rules.first_dealer - SEAT_0


@rule
def deal(s: State, cards: Any) -> None:
    """CE-04, CE-05: the hands singly from eldest, the stock, the upcard."""
    hush(s)
    n = s.seats
    if s.deal_number:
        s.dealer = (s.dealer + 1) % n
    s.deal_number += 1
    s.over = 0
    s.winner = -1
    s.in_play = (1 << n) - 1
    s.naming = s.named = s.free = s.turns = s.unable = s.gained = s.pile_size = 0
    tell(s, DEAL, s.dealer, TABLE, s.deal_number, cite("CE-04"))
    for p in range(n):
        s.hands[p, 0] = s.hands[p, 1] = s.counts[p] = 0
        for e in range(POOLS):
            s.held[p, e] = s.lacks[p, e] = 0
    for e in range(POOLS):
        s.pool[e, 0] = s.pool[e, 1] = 0
    for i in range(CARDS):
        s.stock[i] = s.pile[i] = 0
    dealt = s.rules.hand_size * n
    left = s.rules.decks * (52 + s.rules.jokers) - dealt
    label(s, cards, dealt + left)
    s.pools = 1
    for i in range(dealt + left):
        s.pool[0, cards[i] >> LABEL] |= 1 << (cards[i] & KIND)
    s.turn = p = (s.dealer + 1) % n  # CE-06
    for i in range(dealt):
        give(s, p, cards[i])
        p = p + 1 if p + 1 < n else 0
    while s.rules.starter_wild == BURY and WILD >> (cards[dealt] & KIND) & 1:  # CE-Q1
        wild = cards[dealt]
        tell(s, BURIED, TABLE, TABLE, wild & KIND, cite("CE-Q1"))
        above = (left - 1) // 2
        for i in range(dealt, dealt + above):
            cards[i] = cards[i + 1]
        cards[dealt + above] = wild
    turn_up(s, cards[dealt])
    s.stock_size = left - 1
    for i in range(s.stock_size):
        s.stock[i] = cards[dealt + left - 1 - i]


@rule
def label(s: State, cards: Any, n: int) -> None:
    """Label the two cards of each kind by lot."""
    if s.rules.decks == 1:
        return
    flips = luck.next64(s.rng)
    seen = 0
    for i in range(n):
        kind = cards[i]
        second = seen >> kind & 1
        seen |= 1 << kind
        if second != int((flips >> luck.U(kind)) & luck.U(1)):
            cards[i] = kind | 1 << LABEL


@rule
def turn_up(s: State, card: int) -> None:
    """CE-05, CE-Q1: the upcard; a wild one frees eldest, or the dealer names a suit for an eight."""
    kind = card & KIND
    tell(s, TURNED_UP, TABLE, TABLE, kind, cite("CE-05"))
    s.pile[0] = card
    s.pile_size = 1
    s.pool[0, card >> LABEL] &= ~(1 << kind)
    if WILD >> kind & 1:
        if s.rules.starter_wild == DEALER_NAMES and EIGHTS >> kind & 1:
            s.naming = 1
            s.turn = s.dealer
        else:
            s.free = 1


@rule
def actors(s: State) -> int:
    return 0 if s.over else 1 << s.turn


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    k = 0
    if s.naming:
        for suit in range(4):
            moves[suit] = NAME + suit
        return 4
    fits = playable(s) & hand(s, seat)
    able = fits != 0
    eights = fits & EIGHTS if s.counts[seat] > 1 else 0  # the last card names no suit (CE-E6)
    fits &= ~eights
    while fits:
        moves[k] = lowest(fits)
        fits &= fits - 1
        k += 1
    while eights:  # CE-09
        first = NAMED_8 + 4 * (lowest(eights) // 13)
        eights &= eights - 1
        for suit in range(4):
            moves[k] = first + suit
            k += 1
    if can_draw(s):
        if s.rules.willing or not able:  # CE-11, CE-Q2, CE-Q3
            moves[k] = DRAW
            k += 1
    elif not able:  # CE-Q5
        moves[k] = PASS
        k += 1
    return k


@rule
def play(s: State, seat: int, move: int) -> None:
    hush(s)
    if move >= NAME:
        s.named = move - NAME + 1
        tell(s, NAMED + move - NAME, seat, TABLE, 0, cite("CE-Q1"))
        s.naming = 0
        s.turn = (s.dealer + 1) % s.seats
    elif move == DRAW:
        draw(s, seat)
    elif move == PASS:
        tell(s, PASSED, seat, TABLE, 0, cite("CE-Q5"))
        prove(s, seat)
        to_the_left(s)
    else:
        lay(s, seat, move)


@rule
def draw(s: State, seat: int) -> None:
    """CE-11: the top card of the stock; the same seat goes on."""
    if not s.rules.willing:
        prove(s, seat)
        s.unable = playable(s)
    if s.stock_size == 0:  # CE-Q4
        reshuffle(s)
    s.stock_size -= 1
    card = s.stock[s.stock_size]
    s.stock[s.stock_size] = 0
    give(s, seat, card)
    s.lacks[seat, s.pools - 1] = 0
    tell_to(s, seat, DREW, seat, TABLE, card & KIND, cite("CE-11"))


@rule
def reshuffle(s: State) -> None:
    """CE-12: the upcard is put aside, the other discards become the new stock; what was named or free stays in force."""
    top = s.pile_size - 1
    for i in range(top):
        s.stock[i] = s.pile[i]
    s.stock_size = top
    luck.shuffle(s.rng, s.stock, top)
    s.pile[0] = s.pile[top]
    for i in range(1, top + 1):
        s.pile[i] = 0
    s.pile_size = 1
    open_pool(s)
    tell(s, RESHUFFLED, TABLE, TABLE, top, cite("CE-12"))


@rule
def lay(s: State, seat: int, move: int) -> None:
    """CE-07 to CE-10."""
    kind = move if move < NAMED_8 else 7 + 13 * ((move - NAMED_8) // 4)
    s.pile[s.pile_size] = leave(s, seat, kind)
    s.pile_size += 1
    if s.unable:  # the card just drawn was the only one that fitted
        for e in range(s.pools):
            if s.held[seat, e]:
                s.lacks[seat, e] |= s.unable
    tell(s, LAY, seat, TABLE, kind, cite("CE-10") if kind >= 52 else cite("CE-08") if kind % 13 == 7 else cite("CE-07"))
    s.named = 0
    s.free = 1 if kind >= 52 else 0  # CE-10, CE-Q8
    if move >= NAMED_8:
        s.named = (move - NAMED_8) % 4 + 1
        tell(s, NAMED + s.named - 1, seat, TABLE, 0, cite("CE-09"))
    if s.counts[seat] == 0:
        win(s, seat)
    else:
        to_the_left(s)


@rule
def to_the_left(s: State) -> None:
    """CE-06; after the last turn allowed the deal is void (CE-Q7)."""
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.unable = 0
    s.turns += 1
    if s.turns >= s.rules.turn_cap:
        s.over = 1
        tell(s, VOID, TABLE, TABLE, 0, cite("CE-Q7"))


@rule
def win(s: State, seat: int) -> None:
    """CE-13: first without cards."""
    s.over = 1
    s.winner = seat
    s.unable = 0
    tell(s, WIN, seat, TABLE, 0, cite("CE-13"))
    s.gained = 1
    if s.rules.points:
        s.gained = 0
        for p in range(s.seats):
            s.gained += value(s.hands[p, 0]) + value(s.hands[p, 1])
    s.score[seat] += s.gained
    tell(s, SCORE, seat, TABLE, s.gained, cite("CE-13"))


@rule
def value(cards: int) -> int:
    """What a set of cards counts against its holder: wild ones 50, T J Q K 10, the others their number."""
    total = 50 * count(cards & WILD)
    cards &= ~WILD
    while cards:
        total += min(lowest(cards) % 13 + 1, 10)
        cards &= cards - 1
    return total


@rule
def shown(s: State) -> int:
    """1 if the hands lie open: they are counted after a deal won for points."""
    return 1 if s.over and s.rules.points and s.winner >= 0 else 0


@rule
def redact(s: State, seat: int) -> None:
    veil_events(s, seat)
    redact_hands(s, seat, shown(s))


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    fill_hands(s, seat, shown(s), work)


@rule
def veil(s: State, seat: int, move: int, viewer: int) -> int:
    return move


@rule
def idle(s: State, move: int) -> int:
    return 1 if move == DRAW or move == PASS else 0


@rule
def payoff(s: State, out: Any) -> None:
    for p in range(s.seats):
        out[p] = s.gained if s.over and p == s.winner else 0.0


@rule
def standing(s: State, out: Any) -> int:
    for p in range(s.seats):
        out[p] = s.score[p]
    return 1 if s.over and s.deal_number >= s.rules.deals else 0


@rule
def bounds(s: State, out: Any) -> None:
    cards = s.rules.decks * (52 + s.rules.jokers)
    out[0] = 1 + s.rules.turn_cap * (cards + 1)
    out[1] = 0.0
    out[2] = float(s.rules.decks * (value((1 << 52) - 1) + value(JOKERS))) if s.rules.points else 1.0


implement(State, pack, start, deal, actors, legal, play, redact, resample, veil, idle, payoff, standing, bounds, advise)
