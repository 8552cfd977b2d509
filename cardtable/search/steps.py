"""Plays many tables at once, each up to its next decision: the engine of research environments (`envs`).

Table i of n plays the matches i, i + n, i + 2n, ... of a seed, which are those of a study with this seed. So no
figure depends on the distribution of tables over threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardtable.kernel import Record, field, prng, rule
from cardtable.kernel.bits import lowest
from cardtable.rules import contract
from cardtable.search.encoding import write_features
from cardtable.search.playouts import RANDOM, SOFT
from cardtable.search.softened import DEEPEST, SLIPS, advised

LEARNER, OUTSIDE = -1, 3  #: players of a seat other than the compiled ones: the caller; a bot that is not compiled
BEGIN = -1  #: instead of a move: open the first match
MOST_DEALS = 10_000  #: deals one after another in which the learner never has a choice, before it is given up


class Plan(Record):
    """What all tables of an environment have in common."""

    tables: int = field()
    actions: int = field()  #: how many actions the game has, or the most legal moves if it has no numbers for them
    indexed: int = field()  #: 1: action k is the k-th legal move; 0: the game's own number of a move
    auto: int = field()  #: 1: a move without a choice is made at once
    by_match: int = field()  #: 1: an episode is a match, and its reward a share of the victory
    sign: int = field()  #: -1: the lowest score wins a match
    first: int = field()  #: the first word of a state that players may know
    key: prng.Words = field("u8", 4)


class Desk(Record):
    """One table: where it is in its matches, and what ended in the last step."""

    match: int = field()  #: the number of its match
    deals: int = field()  #: deals that ended in this step
    over: int = field()  #: 1: so did a match
    luck: prng.Words = field("u8", 4)  #: for players by chance, so that their choices change no card
    scores: NDArray[np.int64] = field("i8", contract.MAX_SEATS)  #: of the match, when the last deal ended


@rule
def copy_words(source: Any, target: Any) -> None:
    """Copy a state's memory, or a part of it."""
    for w in range(len(target)):
        target[w] = source[w]


@rule
def open_match(s: Any, desk: Any, plan: Any, words: Any, starts: Any, i: int, cards: Any) -> None:
    """Open the match of table i, from a state in which nothing of the last one is left, and deal."""
    copy_words(starts[i % len(starts), plan.first :], words[i, plan.first :])
    prng.derive(s.seed, plan.key, desk.match, prng.MATCH)
    prng.derive(desk.luck, plan.key, desk.match, prng.BOT)
    contract.open_match(s)
    contract.next_deal(s, cards)


@rule
def share_victory(s: Any, desk: Any, won_by: int, sign: int, reward: Any) -> None:
    """Add each winner's share of a match that is over. won_by: what `standing` returned."""
    winners = won_by >> 1
    if winners == 0:
        best = sign * desk.scores[0]
        for p in range(s.seats):
            best = max(best, sign * desk.scores[p])
        for p in range(s.seats):
            if sign * desk.scores[p] == best:
                winners |= 1 << p
    number = 0
    for p in range(s.seats):
        number += winners >> p & 1
    for p in range(s.seats):
        if winners >> p & 1:
            reward[p] += np.float32(1.0 / number)


@rule
def settle(  # noqa: PLR0913 - read from one tuple, tables are played 5% more slowly
    s: Any,
    desk: Any,
    plan: Any,
    words: Any,
    starts: Any,
    ended: Any,
    i: int,
    reward: Any,
    done: Any,
    cards: Any,
    out: Any,
) -> None:
    """Keep the end of a deal, add its reward, and deal again."""
    over = contract.standing(s, desk.scores)
    desk.deals += 1
    copy_words(words[i, plan.first :], ended[i, plan.first :])
    if plan.by_match == 0:
        contract.payoff(s, out)
        for p in range(s.seats):
            reward[i, p] += np.float32(out[p])
        done[i] = True
    elif over:
        share_victory(s, desk, over, plan.sign, reward[i])
        done[i] = True
    if over:
        desk.over = 1
        desk.match += plan.tables
        open_match(s, desk, plan, words, starts, i, cards)
    else:
        contract.next_deal(s, cards)


@rule
def allow(s: Any, plan: Any, row: Any, k: int, before: int, mask: Any) -> None:
    """Write the mask of a table's actions. row: its k legal moves; before: how many it had at its last decision."""
    if plan.indexed:
        for j in range(k, before):
            mask[j] = 0
        for j in range(before, k):
            mask[j] = 1
    else:
        actions = plan.actions  # read once: with the loop over a row of bytes, this compiles to one instruction
        for a in range(actions):
            mask[a] = 0
        for j in range(k):
            mask[contract.action_of(s, row[j])] = 1


@rule
def next_decision(  # noqa: PLR0913 - read from one tuple, tables are played 5% more slowly
    s: Any,
    desk: Any,
    plan: Any,
    players: Any,
    move: int,
    i: int,
    row: Any,
    seat: Any,
    count: Any,
    mask: Any,
    words: Any,
    starts: Any,
    ended: Any,
    reward: Any,
    done: Any,
    cards: Any,
    out: Any,
) -> int:
    """Play a move at table i and what follows up to the next decision; return how many moves were played, or -1 if
    none comes.
    """
    made = 0
    p = int(seat[i])
    if move == BEGIN:
        open_match(s, desk, plan, words, starts, i, cards)
    while True:
        if move != BEGIN:
            contract.play(s, p, move)
            made += 1
        who = contract.actors(s)
        while who == 0:
            if desk.deals >= MOST_DEALS:
                return -1
            settle(s, desk, plan, words, starts, ended, i, reward, done, cards, out)
            who = contract.actors(s)
        p = lowest(who)
        k = contract.legal(s, p, row)
        how = players[p]
        if plan.auto and k == 1:
            move = row[0]
        elif how < RANDOM or how > SOFT:  # the learner, or a bot outside
            before = int(count[i])
            seat[i] = p
            count[i] = k
            allow(s, plan, row, k, before, mask)
            return made
        elif how == RANDOM:
            move = row[prng.below(desk.luck, k)]
        elif k > 1:
            move = advised(s, p, row, k, SLIPS if how == SOFT else 0, DEEPEST, desk.luck)
        else:
            move = row[0]


@rule
def forget(seats: int, desk: Any, reward: Any, done: Any, i: int) -> None:
    """Forget what ended in the last step at table i."""
    desk.deals = 0
    desk.over = 0
    done[i] = False
    for p in range(seats):
        reward[p] = np.float32(0.0)


@rule
def run(  # noqa: PLR0913 - read from one tuple, tables are played 5% more slowly
    states: Any,
    desks: Any,
    plan: Any,
    players: Any,
    which: Any,
    first: int,
    last: int,
    anew: int,
    chosen: Any,
    moves: Any,
    slot: int,
    seat: Any,
    count: Any,
    mask: Any,
    words: Any,
    starts: Any,
    ended: Any,
    reward: Any,
    done: Any,
    cards: Any,
    out: Any,
) -> int:
    """Play chosen[i] at each table i of which[first:last], up to its next decision; return the number of moves
    played, or -1 - i for a table without a further decision.

    anew: 1: a step begins, so the ends of the last one are cleared. moves: a row of legal moves for each table where
    actions are indexed, else one for each slot. words: the memory of the states; starts: that of states set up with
    house rules; ended: that of the states at the ends of deals. cards, out: room for a pack and for payoffs; allocated
    here, they would make the compiler count references to every row.
    """
    made = 0
    indexed = plan.indexed
    for j in range(first, last):
        i = which[j]
        if anew:
            forget(states[i].seats, desks[i], reward[i], done, i)
        row = moves[i if indexed else slot]
        k = next_decision(
            states[i],
            desks[i],
            plan,
            players[i],
            chosen[i],
            i,
            row,
            seat,
            count,
            mask[i],
            words,
            starts,
            ended,
            reward,
            done,
            cards,
            out,
        )
        if k < 0:
            return -1 - i
        made += k
    return made


@rule
def choose(states: Any, plan: Any, first: int, last: int, actions: Any, moves: Any, mask: Any, chosen: Any) -> int:
    """Write the move of each table's action into chosen; return the first table whose action is not allowed, or -1."""
    for i in range(first, last):
        a = actions[i]
        if a < 0 or a >= plan.actions or mask[i, a] == 0:
            return i
        chosen[i] = moves[i, a] if plan.indexed else contract.move_of(states[i], int(a))
    return -1


@rule
def pick(luck: Any, count: Any, mask: Any, indexed: int, first: int, last: int, out: Any) -> None:
    """Write an allowed action of each table into out, with equal chance. luck: random words for each table."""
    for i in range(first, last):
        k = prng.below(luck[i], int(count[i]))
        a = 0
        if indexed:
            a = k
        else:
            k -= mask[i, 0]
            while k >= 0:
                a += 1
                k -= mask[i, a]
        out[i] = a


@rule
def see(  # noqa: PLR0913 - read from one tuple, tables are played 5% more slowly
    words: Any,
    redacted: Any,
    seen_words: Any,
    seat: Any,
    plan: Any,
    first: int,
    last: int,
    slot: int,
    program: Any,
    octets: Any,
    features: Any,
) -> None:
    """Copy the states of the tables first to last - 1, redacted for the seats that are to act, and write their
    features.

    redacted: a state for each table (slot -1), or one that serves each in turn (its number is the slot); words,
    seen_words and octets are their memory. program: of features (`features.program`); empty: none are wanted.
    """
    for i in range(first, last):
        j = i if slot < 0 else slot
        copy_words(words[i, plan.first :], seen_words[j, plan.first :])
        contract.redact(redacted[j], int(seat[i]))
        if len(program):
            write_features(program[seat[i]], seen_words[j], octets[j], int(seat[i]), features[i])
