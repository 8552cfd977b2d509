"""The rules of Fan Tan (FT), Five or Nine (FN) and Domino Fan-Tan (DF), compiled.

A move is a card to lay (0..51), PASS, DRAW (Domino) or DONE (end of a turn of several cards). One state serves the
three games; what differs are house rules: which ranks found a row, how many cards are dealt.

What a deal's acts prove is kept as **facts** about the hands: `lacks`, `shows`, `one_of`. A card that fits stays fitting until
it is laid, so a seat that proved unable lacks those cards as long as they are out. Undiscovered offences are not stored at
all: they follow from the public history and the hands (`fines`), so there is nothing to leak.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable import worlds
from cardtable.cards import ALL_52
from cardtable.contract import DEAL, DONE as ENDED, DRAW as DREW, LAY, PASS as PASSED, TABLE, VOID, WIN, cite, hush, implement, tell, tell_to, veil_events
from cardtable.games.chips import CUT_HIGH, CUT_LOW, RANDOM, SEAT_0, SEATS, ChipRules, ChipTable, begin, gain, open_deal, pay, share_rest, take_pot, tally
from cardtable.games.fan_tan.advice import advise
from cardtable.kernel import Ints, field, luck, rule
from cardtable.kernel.bits import count, lowest
from cardtable.games.fan_tan.layout import SUIT, founding, playable

MAX_MOVES = 55
PASS, DRAW, DONE = 52, 53, 54
ONE, GROUP, ANY = 0, 1, 2  # plays_per_turn
FLAT, FEWER_EXTRA, MORE_EXTRA = 0, 1, 2  # ante_rule
NO_GROUP, FOUNDERS = 0, 5  # group of a turn: 1..4 a suit, 5 the founding cards
STOCK = 18


class Rules(ChipRules):
    """House rules, and the rule IDs by which chips move."""

    start_ranks: int = field()  #: mask of ranks that may open a deal
    hand_size: int = field()  #: cards dealt to each; 0: the whole pack
    ante_rule: int = field()
    ante: int = field()
    pass_chip: int = field()
    draw_chip: int = field()
    plays: int = field()
    dead_hand: int = field()
    direct: int = field()  #: 1: losers pay the winner, 0: the pot
    fine_pot: int = field()
    fine_neighbour: int = field()
    fine_forced: int = field()
    fine_beyond: int = field()
    layout_side: int = field()  #: 0: upward cards on the left, 1: on the right (looks only)
    cut_rule: int = field()
    ante_cite: int = field()
    pass_cite: int = field()
    draw_cite: int = field()
    neighbour_cite: int = field()
    settle_cite: int = field()


class State(ChipTable):
    """A table of Fan Tan."""

    rules: Rules = Rules.inside
    turn: int = field()
    layout: int = field()  #: cards on the table
    absent: int = field()  #: cards that are out of this deal (positions only)
    set_rank: int = field()  #: rank of the founding cards + 1; 0 while any of start_ranks may open
    group: int = field()  #: what this turn of several cards is about; NO_GROUP before its first card
    passes: int = field()  #: passes in a row
    stock_size: int = field()  #: cards that the stock began with
    drawn: int = field()  #: how many of them were drawn
    fresh: int = field()  #: strict play, 1: the seat to move has just drawn a card, which `lacks` says nothing about
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    lacks: Ints = field("i8", SEATS)  #: fact: holds none of these
    shows: Ints = field("i8", SEATS)  #: fact: holds all of these (found out by an offence)
    one_of: Ints = field("i8", SEATS)  #: fact: holds at least one of these; 0: nothing known
    stock: Ints = field("i8", STOCK)  #: from the top
    # The history that offences are judged by; kept only where the rules penalise.
    origin: int = field()  #: layout when the history begins
    laid_count: int = field()
    laid: Ints = field("i8", 52)  #: the cards laid since, in order
    laid_by: Ints = field("i8", SEATS)  #: the same as sets, by seat
    skipped: Ints = field("i8", 53)  #: before the k-th of them: mask of the seats that passed while they might have been able
    drew: Ints = field("i8", STOCK)  #: of each draw: seat | cards laid before << 4
    found: Ints = field("i8", STOCK)  #: of each draw: what was found out about it (`finding`)


@rule
def pack(s: State, cards: Any) -> int:
    for i in range(52):
        cards[i] = i
    return 52


@rule
def start(s: State) -> None:
    hush(s)
    begin(s, s.rules.cut_rule)


@rule
def deal(s: State, cards: Any) -> None:
    hush(s)
    open_deal(s)
    n = s.seats
    tell(s, DEAL, s.dealer, TABLE, s.deal_number, cite("FT-14"))
    for p in range(n):
        s.hands[p] = s.counts[p] = s.lacks[p] = s.shows[p] = s.one_of[p] = s.laid_by[p] = 0
    s.layout = s.absent = s.origin = 0
    s.set_rank = lowest(s.rules.start_ranks) + 1 if count(s.rules.start_ranks) == 1 else 0
    s.group = NO_GROUP
    s.passes = s.drawn = s.fresh = s.laid_count = 0
    for k in range(53):
        s.skipped[k] = 0
    dealt = s.rules.hand_size * n if s.rules.hand_size else 52
    s.turn = p = (s.dealer + 1) % n  # FT-14, FT-20: from eldest, singly
    for i in range(dealt):
        s.hands[p] |= 1 << cards[i]
        s.counts[p] += 1
        p = p + 1 if p + 1 < n else 0
    s.stock_size = 52 - dealt  # DF-02
    for i in range(s.stock_size):
        s.stock[i] = cards[dealt + i]
        s.drew[i] = s.found[i] = 0
    for i in range(n):
        p = (s.dealer + 1 + i) % n
        pay(s, p, TABLE, s.rules.ante + ante_extra(s, p), s.rules.ante_cite)


@rule
def ante_extra(s: State, seat: int) -> int:
    """FT-16, FT-19: 1 more for the shorter or the longer hands, where hands differ."""
    n = s.seats
    if s.stock_size or 52 % n == 0 or s.rules.ante_rule == FLAT:
        return 0
    longer = s.counts[seat] > 52 // n
    return 1 if longer == (s.rules.ante_rule == MORE_EXTRA) else 0


@rule
def actors(s: State) -> int:
    return 0 if s.over else 1 << s.turn


@rule
def further(s: State) -> int:
    """Cards that may follow in a turn of several cards (FT-30, FT-31, FT-Q9)."""
    fits = playable(s)
    if s.rules.plays == ANY:
        return fits
    if s.group == FOUNDERS:
        return fits & founding(s)
    return fits & SUIT << 13 * (s.group - 1) & ~founding(s)


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    fits = (further(s) if s.group else playable(s)) & s.hands[seat]
    able = fits != 0
    k = 0
    while fits:
        moves[k] = lowest(fits)
        fits &= fits - 1
        k += 1
    if s.group:
        moves[k] = DONE
        k += 1
    elif s.drawn < s.stock_size:
        if not able or s.rules.penalise:  # DF-03
            moves[k] = DRAW
            k += 1
    elif not able or (s.rules.penalise and s.passes < s.seats):  # FT-32, FT-Q14
        moves[k] = PASS
        k += 1
    return k


@rule
def play(s: State, seat: int, move: int) -> None:
    hush(s)
    if move == DONE:
        tell(s, ENDED, seat, TABLE, 0, cite("FT-Q9"))
        to_the_left(s)
    elif move == DRAW:
        draw(s, seat)
    elif move == PASS:
        skip(s, seat)
    else:
        lay(s, seat, move)


@rule
def to_the_left(s: State) -> None:
    """FT-20."""
    s.turn = s.turn + 1 if s.turn + 1 < s.seats else 0
    s.group = NO_GROUP


@rule
def lay(s: State, seat: int, card: int) -> None:
    """FT-25, FT-29 to FT-31, FN-03."""
    tell(s, LAY, seat, TABLE, card, cite("FT-25"))
    if s.rules.penalise:
        s.laid[s.laid_count] = card
        s.laid_by[seat] |= 1 << card
    s.laid_count += 1
    s.fresh = 0
    s.hands[seat] &= ~(1 << card)
    s.counts[seat] -= 1
    s.shows[seat] &= ~(1 << card)
    if s.one_of[seat] >> card & 1:
        s.one_of[seat] = 0
    if s.set_rank == 0:
        s.set_rank = card % 13 + 1
    founder = founding(s) >> card & 1
    s.layout |= 1 << card
    s.passes = 0
    if s.counts[seat] == 0:  # FT-41
        settle(s, seat)
        return
    if s.rules.plays:
        if s.group == NO_GROUP:
            s.group = FOUNDERS if founder else 1 + card // 13
        if further(s) & s.hands[seat]:
            return
    to_the_left(s)


@rule
def skip(s: State, seat: int) -> None:
    """A pass: FT-22, FT-23, FT-34."""
    tell(s, PASSED, seat, TABLE, 0, s.rules.pass_cite)
    pay(s, seat, TABLE, s.rules.pass_chip, s.rules.pass_cite)
    fail(s, seat, s.rules.penalise and s.passes < s.seats)
    s.fresh = 0
    s.passes += 1
    if s.rules.dead_hand and s.layout == 0 and s.passes == s.seats:  # FT-24
        settle(s, -1)
    elif s.passes == (2 * s.seats if s.rules.penalise else s.seats):  # only in positions from which cards are missing
        s.over = 1
        tell(s, VOID, TABLE, TABLE, 0, cite("FT-Q14"))
        close(s)
    else:
        to_the_left(s)


@rule
def draw(s: State, seat: int) -> None:
    """DF-03, DF-04: pay, and take the top card of the stock; the same seat goes on."""
    pay(s, seat, TABLE, s.rules.draw_chip, s.rules.draw_cite)
    s.drew[s.drawn] = seat | s.laid_count << 4
    fail(s, seat, s.rules.penalise)
    card = s.stock[s.drawn]
    s.drawn += 1
    s.fresh = 1 - s.rules.penalise
    s.hands[seat] |= 1 << card
    s.counts[seat] += 1
    tell_to(s, seat, DREW, seat, TABLE, card, s.rules.draw_cite)


@rule
def fail(s: State, seat: int, doubtful: int) -> None:
    """What a pass or a draw costs and proves; doubtful: the seat may have been able."""
    fits = playable(s)
    if not doubtful:
        s.lacks[seat] |= fits
        return
    drawing = s.drawn < s.stock_size
    if not drawing:
        s.skipped[s.laid_count] |= 1 << seat
    if not s.rules.immediate:
        return
    held = np.zeros(SEATS, np.int64)
    for p in range(s.seats):
        held[p] = s.hands[p]
    if drawing:
        s.found[s.drawn] = finding(s, held, seat, fits)
    elif not fits & held[seat]:
        s.lacks[seat] |= fits
    else:
        show(s, held, seat, fits)
    fine(s, held, seat, fits)


# Offences (FT-34 to FT-40). `held` are the hands at the time of the offence.


@rule
def withheld(s: State, held: Ints, seat: int, fits: int) -> int:
    """The founding cards that are fined: F of the offence record (FT-35, FT-38, FN-Q2)."""
    able = fits & held[seat]
    founders = founding(s)
    if s.rules.fine_forced and able & ~founders:
        return 0
    return able & founders


@rule
def creditor_card(s: State, held: Ints, seat: int, founder: int, side: int) -> int:
    """The card on one side (+1, -1) of a withheld founding card whose holder is paid; -1: none (FT-37, FT-Q6)."""
    card = founder + side
    while s.rules.fine_beyond and card // 13 == founder // 13 and held[seat] >> card & 1:
        card += side
    return card if card >= 0 and card // 13 == founder // 13 else -1


@rule
def holder(s: State, held: Ints, card: int) -> int:
    """The seat that holds a card; -1 nobody."""
    for p in range(s.seats):
        if held[p] >> card & 1:
            return p
    return -1


@rule
def fine(s: State, held: Ints, seat: int, fits: int) -> None:
    """Pay what an offence costs: the pot first, then the creditors clockwise from the payer's left."""
    if not fits & held[seat]:
        return
    pay(s, seat, TABLE, s.rules.fine_pot, cite("FT-34"))
    sevens = withheld(s, held, seat, fits)
    owed = np.zeros(SEATS, np.int64)
    while sevens:
        founder = lowest(sevens)
        sevens &= sevens - 1
        for side in range(-1, 2, 2):
            card = creditor_card(s, held, seat, founder, side)
            if card >= 0:
                to = holder(s, held, card)
                if to >= 0 and to != seat:  # FT-Q5
                    owed[to] += s.rules.fine_neighbour
    for i in range(1, s.seats):
        to = (seat + i) % s.seats
        pay(s, seat, to, owed[to], s.rules.neighbour_cite)


@rule
def show(s: State, held: Ints, seat: int, fits: int) -> None:
    """The facts that an offence found out at once makes public: the withheld 7s and who holds the creditor cards."""
    sevens = withheld(s, held, seat, fits)
    founders = fits & founding(s)
    others = fits & ~founders
    if s.rules.fine_forced:
        if sevens:
            s.lacks[seat] |= others
    elif founders:
        s.lacks[seat] |= founders & ~sevens
    if sevens:
        s.shows[seat] |= sevens
        if s.rules.fine_forced:
            s.lacks[seat] |= founders & ~sevens
    elif not s.one_of[seat]:  # a fact still open implies this one: what fits stays fitting
        s.one_of[seat] = others
    while sevens:
        founder = lowest(sevens)
        sevens &= sevens - 1
        for side in range(-1, 2, 2):
            card = founder + side
            last = creditor_card(s, held, seat, founder, side)
            while card >= 0 and card // 13 == founder // 13 and card != last:
                s.shows[seat] |= 1 << card
                card += side
            if last >= 0:
                to = holder(s, held, last)
                if to >= 0:
                    s.shows[to] |= 1 << last


@rule
def finding(s: State, held: Ints, seat: int, fits: int) -> int:
    """What is found out at once about a draw, as a number: the same facts as `show` would make public.

    0: it was clean; otherwise 1 | the withheld founding cards' suits << 1 | five bits a side << 5: how far the creditor
    card lies from the founding card, 0 if there is none, and whether it was paid for.
    """
    if not fits & held[seat]:
        return 0
    result = 1
    sevens = withheld(s, held, seat, fits)
    while sevens:
        founder = lowest(sevens)
        sevens &= sevens - 1
        suit = founder // 13
        result |= 2 << suit
        for side in range(2):
            card = creditor_card(s, held, seat, founder, 2 * side - 1)
            if card >= 0:
                to = holder(s, held, card)
                paid = 1 if to >= 0 and to != seat else 0
                result |= (abs(card - founder) | paid << 4) << 5 + 5 * (2 * suit + side)
    return result


@rule
def rewind(s: State, held: Ints) -> None:
    """The hands where the history begins."""
    for p in range(s.seats):
        held[p] = s.hands[p] | s.laid_by[p]
    for i in range(s.drawn):
        held[s.drew[i] & 15] &= ~(1 << s.stock[i])


@rule
def retell(s: State, fining: int) -> int:
    """Go through the history again with the hands that s now has, whatever its end.

    fining 1: pay for each offence, in the order committed. fining 0: pay nothing; return 0 if what was found out about
    the draws does not fit these hands, else 1.
    """
    held = np.zeros(SEATS, np.int64)
    rewind(s, held)
    layout, rank = s.layout, s.set_rank
    s.layout = s.origin
    first = (s.dealer + 1) % s.seats
    if s.origin == 0 and count(s.rules.start_ranks) > 1:
        s.set_rank = 0
    drawn = 0
    fits_all = 1
    for k in range(s.laid_count + 1):
        fits = playable(s)
        while drawn < s.drawn and s.drew[drawn] >> 4 == k:
            seat = s.drew[drawn] & 15
            if fining:
                fine(s, held, seat, fits)
            elif s.found[drawn] != finding(s, held, seat, fits):
                fits_all = 0
            held[seat] |= 1 << s.stock[drawn]
            drawn += 1
        if fining and s.skipped[k]:
            for i in range(s.seats):
                seat = (first + i) % s.seats
                if s.skipped[k] >> seat & 1:
                    fine(s, held, seat, fits)
        if k < s.laid_count:
            card = s.laid[k]
            for p in range(s.seats):
                if s.laid_by[p] >> card & 1:
                    held[p] &= ~(1 << card)
                    first = (p + 1) % s.seats
            if s.set_rank == 0:
                s.set_rank = card % 13 + 1
            s.layout |= 1 << card
    s.layout, s.set_rank = layout, rank
    return fits_all


@rule
def settle(s: State, winner: int) -> None:
    """FT-42, FT-43; winner -1: a dead deal (FT-24)."""
    s.over = 1
    s.winner = winner
    n = s.seats
    if s.rules.penalise and not s.rules.immediate:
        retell(s, 1)  # FT-40
    if winner < 0:
        tell(s, VOID, TABLE, TABLE, 0, cite("FT-24"))
        for p in range(n):
            pay(s, p, TABLE, 1, cite("FT-24"))
    else:
        tell(s, WIN, winner, TABLE, 0, cite("FT-41"))
        s.won[winner] += 1
        for i in range(n):
            p = (s.dealer + 1 + i) % n
            if p != winner:
                pay(s, p, winner if s.rules.direct else TABLE, s.counts[p], s.rules.settle_cite)
        take_pot(s, winner, cite("FT-41"))
    close(s)


@rule
def close(s: State) -> None:
    """After the match's last deal a pot that nobody won is shared."""
    if s.deal_number >= s.rules.deals and s.pot:
        share_rest(s, cite("FT-Q13"))


@rule
def redact(s: State, seat: int) -> None:
    veil_events(s, seat)
    if s.over:  # the remaining hands are shown
        for i in range(s.drawn, s.stock_size):
            s.stock[i] = 0
        return
    for p in range(s.seats):
        if p != seat:
            s.hands[p] = 0
        s.lacks[p] &= ~s.layout
        if s.one_of[p]:
            s.one_of[p] &= ~s.layout
    for i in range(s.stock_size):
        if i >= s.drawn or s.drew[i] & 15 != seat or not s.rules.penalise:
            s.stock[i] = 0


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    if s.over:
        return
    n = s.seats
    room = np.zeros(n + 2, np.int64)  # the hands, the stock, and the card just drawn by another seat
    hands = np.zeros(n + 2, np.int64)
    lacks = np.zeros(n + 2, np.int64)
    unseen = ALL_52 & ~s.absent & ~s.layout & ~s.hands[seat]
    for p in range(n):
        if p != seat:
            room[p] = s.counts[p] - count(s.shows[p])
            unseen &= ~s.shows[p]
            lacks[p] = s.lacks[p]
    room[n] = s.stock_size - s.drawn
    if s.fresh and s.turn != seat:
        room[s.turn] -= 1
        room[n + 1] = 1
    while True:
        for p in range(n):
            hands[p] = s.hands[p] if p == seat else s.shows[p]
        hands[n] = hands[n + 1] = 0
        worlds.fill(s.rng, unseen, hands, lacks, room, n + 2, work)
        hands[s.turn] |= hands[n + 1]
        good = True
        for p in range(n):
            if s.one_of[p] and not s.one_of[p] & hands[p]:
                good = False
        if good and (s.stock_size == 0 or restock(s, seat, hands)):
            break
    for p in range(n):
        s.hands[p] = hands[p]


@rule
def restock(s: State, seat: int, hands: Any) -> bool:
    """Put hands[n] in random order into the stock, and draw which cards the other seat has drawn, and when.

    A card laid must have been there to be laid, so the last draw is chosen first. False: what was found out at
    once about the draws does not fit.
    """
    row = np.empty(64, np.int64)
    m = worlds.spread(s.rng, hands[s.seats], row)
    for i in range(m):
        s.stock[s.drawn + i] = row[i]
    if not s.rules.penalise:
        return True
    other = 1 - seat
    taken = 0
    for i in range(s.drawn - 1, -1, -1):
        if s.drew[i] & 15 == other:
            m = worlds.spread(s.rng, hands[other] & ~taken, row)
            for k in range(s.drew[i] >> 4, s.laid_count):
                if s.laid_by[other] >> s.laid[k] & 1 and not taken >> s.laid[k] & 1:
                    row[m] = s.laid[k]
                    m += 1
            s.stock[i] = row[luck.below(s.rng, m)]
            taken |= 1 << s.stock[i]
    if not s.rules.immediate:
        return True
    s.hands[other] = hands[other]
    fits = retell(s, 0)
    s.hands[other] = 0
    return fits != 0


@rule
def veil(s: State, seat: int, move: int, viewer: int) -> int:
    return move


@rule
def idle(s: State, move: int) -> int:
    return 1 if move == PASS or move == DRAW else 0


@rule
def payoff(s: State, out: Any) -> None:
    gain(s, out)


@rule
def standing(s: State, out: Any) -> int:
    return tally(s, out)


@rule
def bounds(s: State, out: Any) -> None:
    n = s.seats
    turns = 2 * n + 2  # between two cards: passes, and a `done`
    out[0] = 52 * turns + STOCK
    r = s.rules
    if not r.stakes:
        out[1], out[2] = 0.0, 1.0
        return
    acts = 52 * 2 + STOCK  # passes and draws of one seat
    offence = (r.fine_pot + 8 * r.fine_neighbour) * r.penalise
    cost = acts * (max(r.pass_chip, r.draw_chip) + offence) + r.ante + 1 + 52
    out[1] = -float(cost)
    out[2] = float(cost * n + max(s.pot, 0))


implement(State, pack, start, deal, actors, legal, play, redact, resample, veil, idle, payoff, standing, bounds, advise)


def setup(s: State, game: str, options: Any, seats: int) -> None:
    """Fill a new state's rules from resolved options (plain Python)."""
    r, o = s.rules, options
    s.seats = seats
    r.stakes = int(o.stakes == "chips")
    r.table_credit = int(o.credit == "table")
    r.penalise = int(o.enforce == "penalise")
    r.immediate = int(o.detect == "immediate")
    r.first_dealer = {"random": RANDOM, "cut_low": CUT_LOW, "cut_high": CUT_HIGH}.get(o.first_dealer) if not o.first_dealer.startswith("seat") else SEAT_0 + int(o.first_dealer[5:])
    r.deals = o.deals
    for p in range(seats):
        r.buy_in[p] = o.stack[p] if isinstance(o.stack, tuple) else o.stack
    ranks = getattr(o, "start_ranks", "7")
    r.start_ranks = sum(1 << int(rank) - 1 for rank in ranks.split(","))
    r.hand_size = getattr(o, "hand_size", 0)
    r.ante_rule = {"flat": FLAT, "fewer_extra": FEWER_EXTRA, "more_extra": MORE_EXTRA}[getattr(o, "ante_rule", "flat")]
    r.plays = {"one": ONE, "group": GROUP, "any": ANY}[getattr(o, "plays_per_turn", "one")]
    r.dead_hand = int(getattr(o, "dead_hand", "no") == "yes")
    r.draw_chip = getattr(o, "draw_chip", 0)
    r.ante, r.pass_chip = o.ante, o.pass_chip
    r.direct = int(o.settle == "direct")
    r.fine_pot, r.fine_neighbour = o.fine_pot, o.fine_neighbour
    r.fine_forced = int(o.fine_when == "forced")
    r.fine_beyond = int(o.fine_beyond_run == "yes")
    r.layout_side = int(o.layout_side == "6L8R")
    british = r.fine_forced
    r.cut_rule = cite("FT-11" if r.first_dealer == CUT_HIGH else "FT-10")
    r.ante_cite = cite({FEWER_EXTRA: "FT-16", MORE_EXTRA: "FT-19"}.get(r.ante_rule, "FT-18" if british else "FT-17"))
    r.pass_cite = cite({"five-or-nine": "FN-07", "domino-fan-tan": "DF-05"}.get(game, "FT-22"))
    r.draw_cite = cite("DF-03")
    r.neighbour_cite = cite("FT-38" if british else "FT-37" if r.fine_beyond else "FT-39" if r.plays else "FT-35")
    r.settle_cite = cite("FT-43" if r.direct else "FT-42")
