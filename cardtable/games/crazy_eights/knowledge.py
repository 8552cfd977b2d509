"""Public knowledge about the hidden cards of Crazy Eights.

A **pool** is a publicly known set of cards that were shuffled together: the pack at the deal, and at each reshuffle the
discards that became the new stock. The cards that a seat takes from one pool without proving anything in between are a
**batch**; its pool and its size are public. A seat that lays a card has shown a minimum number of that kind that it
had received (`least`); a seat that had to draw or pass has shown that it had received no more playable cards than it
had laid before (`most`). With one pack a card's pool is known, and both are counted within its pool; with two packs,
where the twin of a card may lie in another pool, over all cards that the seat received.

A card laid is **settled**, and forgotten, as soon as there is only one batch it can be of (and, of two packs, its twin
hides nowhere, because the twin's possible places depend on the pair). Until then it is `gone`. A wild card turned up
and buried lies where all saw it (`sure`), and is `known` once in a hand. An `untracked` table stores none of this.
"""

from __future__ import annotations

from cardtable.games.crazy_eights.state import BATCHES, KINDS, POOLS, TOKENS, State, high_of, low_of, of, playable
from cardtable.kernel import rule
from cardtable.kernel.bits import lowest


@rule
def add(s: State, seat: int, kind: int, number: int) -> None:
    """Add cards of a kind to a hand (a negative number removes them)."""
    now = of(s.hands[seat, 0], s.hands[seat, 1], kind) + number
    s.hands[seat, 0] = low_of(s.hands[seat, 0], kind, now)
    s.hands[seat, 1] = high_of(s.hands[seat, 1], kind, now)
    s.counts[seat] += number


@rule
def add_known(s: State, seat: int, kind: int, number: int) -> None:
    """The same for the publicly known cards of a hand."""
    now = of(s.known[seat, 0], s.known[seat, 1], kind) + number
    s.known[seat, 0] = low_of(s.known[seat, 0], kind, now)
    s.known[seat, 1] = high_of(s.known[seat, 1], kind, now)


@rule
def add_has(s: State, seat: int, b: int, kind: int, number: int) -> None:
    """The same for a batch."""
    now = of(s.has[seat, b, 0], s.has[seat, b, 1], kind) + number
    s.has[seat, b, 0] = low_of(s.has[seat, b, 0], kind, now)
    s.has[seat, b, 1] = high_of(s.has[seat, b, 1], kind, now)


@rule
def add_token(s: State, e: int, kind: int, number: int) -> None:
    """The same for a pool."""
    if s.untracked:
        return
    now = of(s.tokens[e, 0], s.tokens[e, 1], kind) + number
    s.tokens[e, 0] = low_of(s.tokens[e, 0], kind, now)
    s.tokens[e, 1] = high_of(s.tokens[e, 1], kind, now)


@rule
def set_gone(s: State, seat: int, kind: int, number: int) -> None:
    """Set how many cards of a kind that a seat has laid are not settled."""
    s.gone[seat, 0] = low_of(s.gone[seat, 0], kind, number)
    s.gone[seat, 1] = high_of(s.gone[seat, 1], kind, number)


@rule
def shown_at(s: State, seat: int, b: int) -> int:
    """The kinds about which a seat showed something between the arrival of a batch and that of the next."""
    return s.least[seat, b, 0] | s.least[seat, b, 1] | s.most[seat, b, 0] | s.most[seat, b, 1]


@rule
def clear(s: State) -> None:
    """Empty all hands, and remove all pools."""
    for p in range(s.seats):
        s.counts[p] = s.hands[p, 0] = s.hands[p, 1] = 0
    if s.untracked:
        return
    s.pools = 0
    for e in range(POOLS):
        s.tokens[e, 0] = s.tokens[e, 1] = 0
    for p in range(s.seats):
        s.batches[p] = 0
        for x in range(2):
            s.known[p, x] = s.gone[p, x] = 0
        for b in range(BATCHES):
            wipe(s, p, b)


@rule
def wipe(s: State, seat: int, b: int) -> None:
    """Empty a batch."""
    s.origin[seat, b] = s.room[seat, b] = 0
    for x in range(2):
        s.has[seat, b, x] = s.least[seat, b, x] = s.most[seat, b, x] = 0


@rule
def give(s: State, seat: int, kind: int, known: int) -> None:
    """Give a hand a card of the newest pool, or a publicly known card (seen 1)."""
    add(s, seat, kind, 1)
    if s.untracked:
        return
    if known:
        add_known(s, seat, kind, 1)
        return
    b = s.batches[seat] - 1
    if b < 0 or s.origin[seat, b] != s.pools - 1 or shown_at(s, seat, b):
        if s.batches[seat] == BATCHES and not blur(s, seat):
            forget(s)
            return
        b = s.batches[seat]
        s.batches[seat] += 1
        s.origin[seat, b] = s.pools - 1
    s.room[seat, b] += 1
    add_has(s, seat, b, kind, 1)


@rule
def leave(s: State, seat: int, kind: int) -> None:
    """Take a card out of a hand, for all to see."""
    add(s, seat, kind, -1)
    if s.untracked:
        return
    if of(s.known[seat, 0], s.known[seat, 1], kind):
        add_known(s, seat, kind, -1)
        return
    number = of(s.gone[seat, 0], s.gone[seat, 1], kind) + 1
    if number > 3:
        forget(s)
        return
    set_gone(s, seat, kind, number)
    b = s.batches[seat] - 1
    if s.rules.decks == 1:
        e = s.pools - 1
        while not of(s.tokens[e, 0], s.tokens[e, 1], kind):
            e -= 1
        while s.origin[seat, b] != e:
            b -= 1
        number = 1
    s.least[seat, b, 0] = low_of(s.least[seat, b, 0], kind, number)
    s.least[seat, b, 1] = high_of(s.least[seat, b, 1], kind, number)
    if s.rules.decks == 1:
        settle_batch(s, seat, b, kind)
    else:
        settle_pair(s, kind)
    tidy_all(s, seat)


@rule
def prove(s: State, seat: int) -> None:
    """Record that a seat had to draw or pass, so it holds no playable card."""
    if s.untracked:
        return
    fits = playable(s)
    if s.rules.decks == 1:
        for b in range(s.batches[seat]):
            e = s.origin[seat, b]
            if b + 1 == s.batches[seat] or s.origin[seat, b + 1] != e:
                s.most[seat, b, 0] |= fits & s.tokens[e, 0] & ~laid_of(s, e)
    elif s.batches[seat]:
        b = s.batches[seat] - 1
        low, high = s.gone[seat, 0], s.gone[seat, 1]
        # Three cards of a kind may be laid and not settled; a lack after that has no number.
        fits &= hidden(s) & ~(low & high)
        s.most[seat, b, 0] |= fits & ~low  # the number, plus 1
        s.most[seat, b, 1] |= fits & (low | high)
    tidy_all(s, seat)


@rule
def hidden(s: State) -> int:
    """The kinds with a card that is not settled."""
    kinds = 0
    for e in range(s.pools):
        kinds |= s.tokens[e, 0] | s.tokens[e, 1]
    return kinds


@rule
def laid_of(s: State, e: int) -> int:
    """One pack: the cards of a pool that are gone."""
    kinds = 0
    for p in range(s.seats):
        for b in range(s.batches[p]):
            if s.origin[p, b] == e:
                kinds |= s.least[p, b, 0]
    return kinds & s.tokens[e, 0]


# Settling


@rule
def settle(s: State, seat: int, b: int, kind: int, number: int) -> None:
    """Forget cards of a kind that are gone, and that were of this batch."""
    s.room[seat, b] -= number
    add_has(s, seat, b, kind, -number)
    add_token(s, s.origin[seat, b], kind, -number)
    set_gone(s, seat, kind, of(s.gone[seat, 0], s.gone[seat, 1], kind) - number)


@rule
def erase(s: State, kind: int, e: int) -> None:
    """One pack: erase which seats lacked a card of a pool, which no longer matters."""
    for p in range(s.seats):
        for b in range(s.batches[p]):
            if s.origin[p, b] == e:
                s.most[p, b, 0] &= ~(1 << kind)


@rule
def settle_batch(s: State, seat: int, last: int, kind: int) -> None:
    """One pack: settle a card that was laid when `last` was the newest batch of its pool, if only one batch can have
    held it.
    """
    e = s.origin[seat, last]
    b = last
    only = -1
    while b >= 0 and s.origin[seat, b] == e and not s.most[seat, b, 0] >> kind & 1:
        if s.room[seat, b]:
            if only >= 0:
                return
            only = b
        b -= 1
    settle(s, seat, only, kind, 1)
    erase(s, kind, e)


@rule
def settle_rest(s: State, seat: int) -> None:
    """One pack: after batches were joined, settle what can be settled."""
    for b in range(s.batches[seat]):
        kinds = s.least[seat, b, 0]
        while kinds:
            settle_batch(s, seat, b, lowest(kinds))
            kinds &= kinds - 1


@rule
def settle_pair(s: State, kind: int) -> None:
    """Two packs: settle a kind if none of its cards is hidden any longer and the batches that held them are known."""
    remaining = 0
    for e in range(s.pools):
        remaining += of(s.tokens[e, 0], s.tokens[e, 1], kind)
    for p in range(s.seats):
        remaining -= of(s.gone[p, 0], s.gone[p, 1], kind)
    if remaining:
        return
    for p in range(s.seats):
        if of(s.gone[p, 0], s.gone[p, 1], kind) and only_batch(s, p, kind) < 0:
            return
    for p in range(s.seats):
        number = of(s.gone[p, 0], s.gone[p, 1], kind)
        if number:
            settle(s, p, only_batch(s, p, kind), kind, number)
    for p in range(s.seats):
        tidy(s, p)


@rule
def only_batch(s: State, seat: int, kind: int) -> int:
    """Two packs: the only batch that can have held the cards of a kind that a seat has laid; -1 if there are
    several.
    """
    only = -1
    late = 1
    for b in range(s.batches[seat] - 1, -1, -1):
        if (s.least[seat, b, 0] | s.least[seat, b, 1]) >> kind & 1:
            late = 0
        if of(s.most[seat, b, 0], s.most[seat, b, 1], kind) == 1:  # none had come
            break
        e = s.origin[seat, b]
        if not late and s.room[seat, b] and of(s.tokens[e, 0], s.tokens[e, 1], kind):
            if only >= 0:
                return -1
            only = b
    return only


# Keeping it short


@rule
def tidy_all(s: State, seat: int) -> None:
    """Tidy a seat's batches; with one pack, settle the cards that this determines."""
    while tidy(s, seat) and s.rules.decks == 1:
        settle_rest(s, seat)


@rule
def tidy(s: State, seat: int) -> bool:
    """Drop facts without content about a seat's batches, and join batches that no fact separates; return whether
    batches have changed.
    """
    one = s.rules.decks == 1
    changed = False
    for b in range(s.batches[seat] - 1, -1, -1):
        matters = s.tokens[s.origin[seat, b], 0] if one else hidden(s)
        for x in range(2):
            s.least[seat, b, x] &= matters
            s.most[seat, b, x] &= matters
        for c in range(b + 1, s.batches[seat]):  # a later batch has the same bound, which implies this one
            if one and s.origin[seat, c] != s.origin[seat, b]:
                break
            low, high = s.most[seat, b, 0], s.most[seat, b, 1]
            same = ~(low ^ s.most[seat, c, 0]) & ~(high ^ s.most[seat, c, 1])
            s.most[seat, b, 0] &= ~same
            s.most[seat, b, 1] &= ~same
        if s.room[seat, b] == 0:
            if b and (not one or s.origin[seat, b - 1] == s.origin[seat, b]):
                move_back(s, seat, b)
            remove(s, seat, b)
            changed = True
        elif b + 1 < s.batches[seat] and s.origin[seat, b + 1] == s.origin[seat, b] and not shown_at(s, seat, b):
            join(s, seat, b)
            changed = True
    return changed


@rule
def move_back(s: State, seat: int, b: int) -> None:
    """Batch b is empty: move the facts shown after it to the batch before it. Later numbers are not smaller."""
    for kind in range(KINDS):
        n = of(s.least[seat, b, 0], s.least[seat, b, 1], kind)
        if n:
            s.least[seat, b - 1, 0] = low_of(s.least[seat, b - 1, 0], kind, n)
            s.least[seat, b - 1, 1] = high_of(s.least[seat, b - 1, 1], kind, n)
        if of(s.most[seat, b - 1, 0], s.most[seat, b - 1, 1], kind) == 0:
            n = of(s.most[seat, b, 0], s.most[seat, b, 1], kind)
            s.most[seat, b - 1, 0] = low_of(s.most[seat, b - 1, 0], kind, n)
            s.most[seat, b - 1, 1] = high_of(s.most[seat, b - 1, 1], kind, n)


@rule
def join(s: State, seat: int, b: int) -> None:
    """Join batch b and the next, which are of one pool."""
    s.room[seat, b + 1] += s.room[seat, b]
    for kind in range(KINDS):
        n = of(s.has[seat, b, 0], s.has[seat, b, 1], kind)
        if n:
            add_has(s, seat, b + 1, kind, n)
    remove(s, seat, b)


@rule
def remove(s: State, seat: int, b: int) -> None:
    """Remove a batch from the row."""
    for c in range(b, s.batches[seat] - 1):
        s.origin[seat, c] = s.origin[seat, c + 1]
        s.room[seat, c] = s.room[seat, c + 1]
        for x in range(2):
            s.has[seat, c, x] = s.has[seat, c + 1, x]
            s.least[seat, c, x] = s.least[seat, c + 1, x]
            s.most[seat, c, x] = s.most[seat, c + 1, x]
    s.batches[seat] -= 1
    wipe(s, seat, s.batches[seat])


@rule
def blur(s: State, seat: int) -> int:
    """The row is full: forget between which two batches a card was laid; return 1 if that was possible."""
    for b in range(s.batches[seat] - 1):
        if s.origin[seat, b] == s.origin[seat, b + 1] and not s.most[seat, b, 0] | s.most[seat, b, 1]:
            for kind in range(KINDS):  # numbers shown later are not smaller
                if of(s.least[seat, b + 1, 0], s.least[seat, b + 1, 1], kind) == 0:
                    n = of(s.least[seat, b, 0], s.least[seat, b, 1], kind)
                    s.least[seat, b + 1, 0] = low_of(s.least[seat, b + 1, 0], kind, n)
                    s.least[seat, b + 1, 1] = high_of(s.least[seat, b + 1, 1], kind, n)
            s.least[seat, b, 0] = s.least[seat, b, 1] = 0
            join(s, seat, b)
            return 1
    return 0


@rule
def forget(s: State) -> None:
    """Out of room for facts: treat all hidden cards as one pool from now on, and each hand as one batch of it."""
    for e in range(POOLS):
        s.tokens[e, 0] = s.tokens[e, 1] = 0
    s.pools = 1
    for i in range(s.stock_size):
        if not s.sure[i]:
            add_token(s, 0, s.stock[i], 1)
    for p in range(s.seats):
        s.gone[p, 0] = s.gone[p, 1] = s.batches[p] = 0
        for b in range(BATCHES):
            wipe(s, p, b)
        for kind in range(KINDS):
            n = of(s.hands[p, 0], s.hands[p, 1], kind) - of(s.known[p, 0], s.known[p, 1], kind)
            if n:
                s.batches[p] = 1
                s.room[p, 0] += n
                add_has(s, p, 0, kind, n)
                add_token(s, 0, kind, n)


@rule
def open_pool(s: State) -> int:
    """Open a pool, still without cards, for a new stock; return its number."""
    if s.untracked:
        return 0
    e = 0
    while e < s.pools:  # a pool whose cards are all settled is closed
        if s.tokens[e, 0] | s.tokens[e, 1]:
            e += 1
        else:
            close_pool(s, e)
    cards = 0
    for p in range(s.seats):
        for b in range(s.batches[p]):
            cards += s.room[p, b]
    if s.pools == POOLS or cards + s.pile_size > TOKENS:
        forget(s)
    s.pools += 1
    return s.pools - 1


@rule
def close_pool(s: State, e: int) -> None:
    """Remove a pool, of which no batch is left, from the row."""
    for p in range(s.seats):
        for b in range(s.batches[p]):
            if s.origin[p, b] > e:
                s.origin[p, b] -= 1
    for d in range(e, s.pools - 1):
        for x in range(2):
            s.tokens[d, x] = s.tokens[d + 1, x]
    s.pools -= 1
    s.tokens[s.pools, 0] = s.tokens[s.pools, 1] = 0
