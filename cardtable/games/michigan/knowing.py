"""What a seat of Michigan knows, and worlds that agree with it."""

from __future__ import annotations

import numpy as np

from cardtable.base.cards import ALL_52
from cardtable.games.michigan.state import State
from cardtable.kernel import rule
from cardtable.kernel.bits import count
from cardtable.rules import worlds
from cardtable.rules.contract import hide_hands, redact_events


@rule
def redact(s: State, seat: int) -> None:
    redact_events(s, seat)
    for i in range(52):
        s.stock[i] = 0
    if s.exchanger != seat + 1 or seat < 0:  # MI-13, MI-S2: only who has exchanged knows the dead hand
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
