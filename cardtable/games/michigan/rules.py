"""The rules of Michigan (MI), compiled.

A move is a card, PASS (a lead, a bid or the next card), EXCHANGE or KEEP, CONTINUE or SPIN, STAKE + the code of a split
of four chips, or BID + a bid. In strict play only stakes, the widow, bids, leads and the spin are choices. What acts
prove is kept as **facts**, `lacks` and `shows`; where offences are possible and found out late, acts prove very little.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.base.cards import ALL_52, rank_of, suit_of
from cardtable.games.michigan.actions import ACTIONS, action_of, move_of
from cardtable.games.michigan.offences import judge_lead, judge_pass, judge_silence, reckon
from cardtable.games.michigan.order import (
    after,
    bars,
    below,
    low_diamond,
    lower_ranks,
    lowest_of_all,
    may_hold,
    name_leader,
    open_leads,
    open_suits,
    place_of,
)
from cardtable.games.michigan.policy import heuristic, slip
from cardtable.games.michigan.stakes import (
    PUT_ON,
    deal_off,
    emit_put,
    put_chips,
    side_stakes,
    splits,
    take_chips,
    take_kitty,
)
from cardtable.games.michigan.state import (
    ACE_OF_DIAMONDS,
    AUCTION,
    BID,
    CONTINUE,
    EXCHANGE,
    FOLLOWING,
    FOUR,
    JACKPOT,
    KEEP,
    LEADING,
    MAX_MOVES,
    MAX_RAISE,
    PASS,
    PLACES,
    SEQUENCE,
    SPIN,
    SPINNING,
    STAKE,
    STAKING,
    WIDOW,
    State,
    prepare,
)
from cardtable.games.shared.chips import begin, holder, open_deal, pay, share_rest
from cardtable.kernel import cite, rule
from cardtable.kernel.bits import count
from cardtable.rules import worlds
from cardtable.rules.contract import (
    DEAL,
    LAY,
    OWN,
    TABLE,
    WIN,
    clear_events,
    emit,
    emit_at,
    emit_card,
    hide_hands,
    implement,
    list_cards,
    list_if,
    redact_events,
)
from cardtable.rules.contract import PASS as PASSED

__all__ = ["ACTIONS", "MAX_MOVES", "State", "prepare"]
#: the game's own events
EXCHANGED, KEPT, OFFERED, STOPPED, SPUN, STAKED = range(OWN, OWN + 6)
TEN_AND_JACK = 1 << 22 | 1 << 23  #: of hearts


@rule
def start(s: State) -> None:
    clear_events(s)
    begin(s, cite("MI-08"))
    for i in range(PLACES):
        s.on[i] = 0


# The deal


@rule
def deal(s: State, cards: Any) -> None:
    clear_events(s)
    open_deal(s)
    n = s.seats
    emit(s, DEAL, s.dealer, TABLE, s.deal_number, cite("MI-52") if s.rules.deal_equal else cite("MI-09"))
    clear(s)
    for i in range(52):
        s.stock[i] = cards[i]
    s.stock_size = 52
    s.phase = STAKING
    s.turn = (s.dealer + 1) % n
    if s.rules.stake_free4:  # MI-51: everybody stakes in turn, before the deal
        return
    for i in range(1, n + 1):  # MI-06, MI-58
        p = (s.dealer + i) % n
        chips = 0
        for k in range(s.rules.m):
            place = s.rules.filling[k]
            chips += put_chips(s, p, place, s.rules.dealers[place] if p == s.dealer else s.rules.each[place])
        emit_put(s, p, chips, s.rules.stake_cite)
        side_stakes(s, p)
    deal_out(s)


@rule
def clear(s: State) -> None:
    """Remove everything of the last deal except the chips."""
    for p in range(s.seats):
        s.hands[p] = s.counts[p] = s.lacks[p] = s.shows[p] = s.laid_by[p] = 0
    for k in range(52):
        s.laid[k] = 0
    s.dead = s.dead_count = s.exchanger = s.bidders = s.high = s.high_seat = 0
    s.laid_count = s.leads = s.whole = s.spun = s.played = 0
    s.cur = s.origin_cur = -1
    s.last = s.origin_last = s.barred = s.origin_barred = s.passes = s.asked = 0


@rule
def deal_out(s: State) -> None:
    """MI-09 to MI-11: deal one hand more than the number of players, the widow first; MI-52: equal hands, and the
    rest is the widow.
    """
    n = s.seats
    size = (52 - 3) // n  # MI-Q10
    for i in range(52):
        card = 1 << s.stock[i]
        s.stock[i] = 0
        j = i + 1 if s.rules.deal_equal else i % (n + 1)  # 0: the widow, 1: eldest, ..., n: the dealer
        if j == 0 or (s.rules.deal_equal and i >= size * n):
            s.dead |= card
            s.dead_count += 1
        else:
            p = (s.dealer + j) % n
            s.hands[p] |= card
            s.counts[p] += 1
    s.stock_size = 0
    if s.rules.widow_exchange:
        s.phase = WIDOW
        s.turn = s.dealer
    else:
        begin_play(s)


@rule
def begin_play(s: State) -> None:
    """MI-18, MI-Q4: eldest leads any suit; or MI-C3: the holder of the lowest diamond leads it."""
    s.phase = LEADING
    s.turn = s.last = s.origin_last = (s.dealer + 1) % s.seats
    s.bidders = s.high = s.high_seat = 0
    if s.rules.first_lead_low_diamond:
        name_leader(s)


@rule
def exchange(s: State, seat: int) -> None:
    """MI-13, MI-16, MI-17: the seat's hand becomes the dead hand, and the seat plays the widow."""
    s.hands[seat], s.dead = s.dead, s.hands[seat]
    s.counts[seat], s.dead_count = s.dead_count, s.counts[seat]
    s.exchanger = seat + 1
    emit(s, EXCHANGED, seat, TABLE, 0, cite("MI-13"))
    begin_play(s)


# What may be done


@rule
def legal(s: State, seat: int, moves: Any) -> int:
    if s.phase == STAKING:
        return splits(s, seat, moves)
    if s.phase == AUCTION:
        moves[0] = PASS
        k = 1
        for bid in range(s.high + 1, min(s.high + MAX_RAISE, s.stacks[seat]) + 1):  # MI-14, MI-Q3, MI-Q17
            moves[k] = BID + bid
            k += 1
        return k
    if s.phase == WIDOW:
        moves[0] = EXCHANGE
        moves[1] = KEEP
        return 2
    if s.phase == SPINNING:
        moves[0] = CONTINUE
        return list_if(moves, 1, SPIN, s.hands[seat] >> ACE_OF_DIAMONDS & 1 == 1)
    if s.phase == FOLLOWING:
        wanted = after(s.cur)
        able = s.hands[seat] >> wanted & 1 == 1
        k = list_if(moves, 0, wanted, able)  # MI-19, MI-20, MI-Q2
        return list_if(moves, k, PASS, not able or s.rules.enforce_penalise == 1)
    return leads_of(s, seat, moves)


@rule
def leads_of(s: State, seat: int, moves: Any) -> int:
    """MI-18, MI-23 to MI-25: the lowest card of a suit that is not barred, or a pass; forbidden leads too where they
    are fined.
    """
    first = low_diamond(s)
    if first >= 0:  # MI-C3
        moves[0] = first
        return 1
    hand = s.hands[seat]
    may_pass = s.passes < s.seats
    cards = hand
    if not (s.rules.enforce_penalise and may_pass):
        cards = open_leads(hand, s.barred)
        if cards == 0 and not may_pass:
            cards = lowest_of_all(hand)
    k = list_cards(moves, 0, cards)
    return list_if(moves, k, PASS, may_pass and (s.rules.enforce_penalise or cards == 0))


# Play


@rule
def play(s: State, seat: int, move: int) -> None:
    clear_events(s)
    if s.phase == STAKING:
        spread(s, seat, move - STAKE)
    elif s.phase == WIDOW:
        if move == EXCHANGE:
            exchange(s, seat)
        else:
            keep(s, seat)
    elif s.phase == AUCTION:
        bid(s, seat, move)
    elif s.phase == LEADING:
        if move == PASS:
            pass_lead(s, seat)
        else:
            lead(s, seat, move)
    elif s.phase == FOLLOWING:
        if move == PASS:
            keep_silent(s, seat)
        else:
            lay(s, seat, move, cite("MI-19") if seat == s.last else cite("MI-20"))
            go_on(s, seat)
    elif move == SPIN:
        spin(s, seat)
    else:
        find_next(s)


@rule
def spread(s: State, seat: int, code: int) -> None:
    """MI-51: each seat spreads four chips as it likes; after the dealer has done so, the cards are dealt."""
    unit = 1
    for _ in range(s.rules.m - 1):
        unit *= 5
    chips = 0
    for i in range(s.rules.m):
        amount = code // unit % 5
        unit //= 5
        chips += put_chips(s, seat, i, amount)
        if amount:
            emit_at(s, STAKED, seat, TABLE, s.rules.money[i], -1, amount, cite("MI-51"))
    emit_put(s, seat, chips, cite("MI-51"))
    side_stakes(s, seat)
    s.turn = (seat + 1) % s.seats
    if seat == s.dealer:
        deal_out(s)


@rule
def keep(s: State, seat: int) -> None:
    """MI-14: the dealer keeps the hand and auctions the widow."""
    emit(s, KEPT, seat, TABLE, 0, cite("MI-14"))
    if s.rules.auction_english:
        s.phase = AUCTION
        s.bidders = ((1 << s.seats) - 1) & ~(1 << seat)
        s.turn = (seat + 1) % s.seats
    else:
        begin_play(s)


@rule
def bid(s: State, seat: int, move: int) -> None:
    """MI-14, MI-15, MI-Q3: a higher bid, or a final pass; the last bidder left pays the dealer and exchanges."""
    if move == PASS:
        emit(s, PASSED, seat, TABLE, 0, cite("MI-14"))
        s.bidders &= ~(1 << seat)
    else:
        s.high = move - BID
        s.high_seat = seat
        emit(s, OFFERED, seat, TABLE, s.high, cite("MI-14"))
    if s.bidders == 0:
        begin_play(s)
    elif s.high and s.bidders == 1 << s.high_seat:
        pay(s, s.high_seat, s.dealer, s.high, cite("MI-15"))
        exchange(s, s.high_seat)
    else:
        s.turn = (seat + 1) % s.seats
        while not s.bidders >> s.turn & 1:
            s.turn = (s.turn + 1) % s.seats


@rule
def pass_lead(s: State, seat: int) -> None:
    """MI-24: the lead passes to the left; after everybody has passed it, it returns to the first seat (MI-25)."""
    emit(s, PASSED, seat, TABLE, 0, cite("MI-24"))
    if not s.rules.enforce_penalise:
        s.lacks[seat] |= open_suits(s.barred)
    elif s.rules.detect_immediate:
        judge_pass(s, seat)
    s.passes += 1
    s.turn = (seat + 1) % s.seats


@rule
def lead(s: State, seat: int, card: int) -> None:
    """MI-18, MI-23, MI-25: begin a new sequence."""
    whole = s.passes == s.seats
    if s.rules.enforce_penalise and not whole:
        if s.rules.detect_immediate:
            judge_lead(s, seat, card)
    elif s.barred >> suit_of(card) & 1:  # MI-25: nothing else could be led, and this is the lowest card
        s.lacks[seat] |= open_suits(s.barred) | lower_ranks(card)
    else:
        s.lacks[seat] |= below(card)
    why = cite("MI-25") if whole else cite("MI-23") if s.laid_count else cite("MI-18")
    if low_diamond(s) >= 0:
        why = cite("MI-C3")
    s.leads |= 1 << s.laid_count
    if whole:
        s.whole |= 1 << s.laid_count
    s.barred = s.passes = 0
    lay(s, seat, card, why)
    go_on(s, seat)


@rule
def lay(s: State, seat: int, card: int, why: int) -> None:
    """A card goes on its player's pile and takes the chips that lie on its duplicate (MI-26, MI-27, MI-43)."""
    emit_card(s, LAY, seat, TABLE, card, why)
    own = s.cur >= 0 and s.last == seat  # the same seat laid the card before it too
    s.hands[seat] &= ~(1 << card)
    s.shows[seat] &= ~(1 << card)
    s.counts[seat] -= 1
    s.played |= 1 << card
    s.laid_by[seat] |= 1 << card
    s.laid[s.laid_count] = card | seat << 6
    s.laid_count += 1
    place = place_of(s, card)
    if place >= 0:
        take_chips(s, seat, place, cite("MI-27"))
    if own and TEN_AND_JACK >> card & 1:
        take_chips(s, seat, SEQUENCE, cite("MI-43"))
    s.cur = card
    s.last = seat
    s.asked = 0


@rule
def go_on(s: State, seat: int) -> None:
    """After a card of a sequence: the deal ends, or its player may spin, or somebody adds the next card."""
    if s.counts[seat] == 0:  # MI-29
        settle(s, seat)
    # MI-54, MI-55; asked of all who may hold it (MI-Q12)
    elif s.rules.spin and rank_of(s.cur) and may_hold(s, seat, ACE_OF_DIAMONDS):
        s.phase = SPINNING
    else:
        find_next(s)


@rule
def find_next(s: State) -> None:
    """MI-20, MI-22: the holder of the next card adds it; if no player holds it, the sequence stops."""
    s.phase = FOLLOWING
    wanted = after(s.cur)
    if wanted < 0:
        stop(s)
    elif s.rules.enforce_penalise:  # ask every player who may hold it, so that withholding is not visible
        for i in range(s.seats):
            p = (s.last + i) % s.seats
            if not s.asked >> p & 1 and may_hold(s, p, wanted):
                s.turn = p
                return
        stop(s)
    else:
        p = holder(s, s.hands, wanted)
        if p >= 0:
            s.turn = p
            s.shows[p] |= 1 << wanted
        else:
            if not s.played >> wanted & 1:
                for q in range(s.seats):
                    s.lacks[q] |= 1 << wanted
            stop(s)


@rule
def keep_silent(s: State, seat: int) -> None:
    """Where offences are penalised: a seat does not add the next card, because it cannot or does not want to."""
    emit(s, PASSED, seat, TABLE, 0, cite("MI-20"))
    s.asked |= 1 << seat
    if s.rules.detect_immediate and judge_silence(s, seat, after(s.cur)):
        stop(s)
    else:
        find_next(s)


@rule
def stop(s: State) -> None:
    """MI-22, MI-23: the seat that laid the last card is the first that may lead another suit."""
    emit(s, STOPPED, s.last, TABLE, 0, cite("MI-22"))
    await_lead(s, bars(s, s.cur))


@rule
def await_lead(s: State, barred: int) -> None:
    """Wait for a lead in a suit that is not barred."""
    s.phase = LEADING
    s.turn = s.last
    s.barred = barred
    s.cur = -1
    s.passes = s.asked = 0


@rule
def spin(s: State, seat: int) -> None:
    """MI-54 to MI-56: the ace of diamonds stops the sequence, and a different suit is led (MI-Q11)."""
    emit(s, SPUN, seat, TABLE, 0, cite("MI-54"))
    barred = bars(s, s.cur)
    s.spun |= 1 << s.laid_count
    lay(s, seat, ACE_OF_DIAMONDS, cite("MI-55"))
    if s.counts[seat] == 0:
        settle(s, seat)
    else:
        await_lead(s, barred)


@rule
def settle(s: State, winner: int) -> None:
    """MI-29, MI-30, MI-45, MI-59, MI-C2: end the deal."""
    s.over = 1
    s.winner = winner
    n = s.seats
    emit(s, WIN, winner, TABLE, 0, cite("MI-29"))
    s.won[winner] += 1
    if s.rules.enforce_penalise:
        reckon(s)
    for i in range(1, n + 1):
        p = (s.dealer + i) % n
        if p != winner:
            pay(s, p, winner, s.counts[p], cite("MI-30"))
    take_kitty(s, winner)
    if deal_off(s):
        take_chips(s, winner, JACKPOT, cite("MI-45"))
    if s.rules.double_if_caught:
        for i in range(1, n + 1):
            p = (s.dealer + i) % n
            for place in range(s.rules.m):
                card = s.rules.money[place]
                chips = put_chips(s, p, place, s.on[place]) if s.hands[p] >> card & 1 else 0
                if chips:
                    emit_at(s, PUT_ON, p, TABLE, card, -1, chips, cite("MI-59"))
    if s.deal_number >= s.rules.deals and s.pot:
        share_rest(s, cite("MI-Q15"))
        for place in range(PLACES):
            s.on[place] = 0


# Knowledge of a seat


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    for i in range(52):
        s.stock[i] = 0
    if s.exchanger != seat + 1 or seat < 0:  # MI-13, MI-S2: only the seat that has exchanged knows the dead hand
        s.dead = 0
    if s.over:  # the hands left are shown, the dead hand is not
        return
    hide_hands(s, seat)


@rule
def resample(s: State, seat: int, work: worlds.Work) -> None:
    n = s.seats
    if s.stock_size:
        worlds.spread(s.rng, ALL_52, s.stock)
        return
    unseen = ALL_52 & ~s.played & ~s.dead
    if s.over:
        for p in range(n):
            unseen &= ~s.hands[p]
        s.dead |= unseen
        return
    room = np.zeros(n + 1, np.int64)
    hands = np.zeros(n + 1, np.int64)
    barred = np.zeros(n + 1, np.int64)
    for p in range(n):
        hands[p] = s.hands[p] if p == seat else s.shows[p]
        room[p] = s.counts[p] - count(hands[p])
        barred[p] = s.lacks[p]
        unseen &= ~hands[p]
    hands[n] = s.dead
    room[n] = s.dead_count - count(s.dead)
    worlds.fill(s.rng, unseen, hands, barred, room, n + 1, work)
    for p in range(n):
        s.hands[p] = hands[p]
    s.dead = hands[n]


@rule
def is_pass(s: State, move: int) -> int:
    return 1 if move == PASS else 0


@rule
def bounds(s: State, out: Any) -> None:
    n = s.seats
    r = s.rules
    deepest, lay_out, on_table = 0, FOUR * r.stake_free4, s.pot
    for p in range(n):
        deepest = max(deepest, s.stacks[p], s.before[p])
        on_table += s.stacks[p] - s.before[p]  # what lay there before this deal
    for i in range(r.m):
        lay_out += max(r.each[i], r.dealers[i])
    lay_out += r.sequence_stake + r.jackpot + r.kitty
    on_table += n * lay_out
    highest_bid = deepest if r.widow_exchange and r.auction_english else 0
    out[0] = 2 * n + 1 + highest_bid + 52 * (n + 2)  # stakes and bids; leads passed, cards, spins refused
    cost = lay_out + highest_bid + 52 + r.double_if_caught * on_table
    if r.enforce_penalise:
        out[0] += 52 * n
        cost += 3 * 52 * (n - 1) + on_table
    out[1] = -float(cost)
    out[2] = float(2 * on_table + cost * n)


implement(State, start, deal, legal, play, redact, resample, is_pass, action_of, move_of, bounds, heuristic, slip)
