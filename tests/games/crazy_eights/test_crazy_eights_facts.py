"""Public knowledge about the hidden cards of Crazy Eights, compared with a ledger of all events.

Cards are dealt, drawn, laid, shown to be lacking and reshuffled in any order, even if impossible in a match. The
ledger enumerates all placements of the hidden cards consistent with every act.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.cards import cards_in, parse_cards, set_of
from cardtable.games.crazy_eights import knowledge
from cardtable.games.crazy_eights.knowledge import add_token, blur, forget, give, leave, open_pool, prove
from cardtable.kernel import Switch, prng
from cardtable.rules import contract
from tests.games.crazy_eights.test_crazy_eights_worlds import allowed, check_same, empty, hidden, numbers
from tests.support.effort import cases, many
from tests.support.games import oracle
from tests.support.games.trick_tables import state

SEATS = 3
VIEWER = 2  #: has no cards
KINDS = parse_cards("5S 6H 7D 9C JS QH KD 2C 8S")
Cards = tuple[int, ...]  #: how many of each of KINDS
World = tuple[tuple[Cards, ...], tuple[Cards, ...]]  #: what is left of each pool, and the hands of seats 0 and 1
Worlds = Counter[World]  #: each with the number of orders in which the cards may have come so


def counted(cards: Counter[int]) -> Cards:
    """Cards as numbers of KINDS."""
    return tuple(cards[kind] for kind in KINDS)


def listed(cards: Cards) -> tuple[int, ...]:
    return tuple(sorted(Counter(dict(zip(KINDS, cards, strict=True))).elements()))


def put(row: tuple[Cards, ...], place: int, kind: int, number: int) -> tuple[Cards, ...]:
    """A row of cards, with some more of a kind (its number in KINDS) in one place."""
    cards = row[place]
    return (*row[:place], (*cards[:kind], cards[kind] + number, *cards[kind + 1 :]), *row[place + 1 :])


def taken(worlds: Worlds, seat: int) -> Worlds:
    """The worlds after a seat has taken a card of the newest pool."""
    after: Worlds = Counter()
    for (pools, hands), n in worlds.items():
        for kind, copies in enumerate(pools[-1]):
            if copies:
                after[put(pools, len(pools) - 1, kind, -1), put(hands, seat, kind, 1)] += n * copies
    return after


class Table:
    """A table with arbitrary events: `worlds` are those consistent with it, and `s` is the rules' state."""

    def __init__(self, decks: int, cards: Sequence[int]) -> None:
        self.s: Any = empty(SEATS, {"decks": str(decks), "draw_willing": "no"})
        self.s.pile[0], self.s.pile_size = parse_cards("4S")[0], 1
        self.hands = [Counter[int]() for _ in range(SEATS)]
        nothing = counted(Counter())
        self.worlds: Worlds = Counter({((), (nothing, nothing)): 1})
        self.blurred = False  #: it was forgotten between which batches a card was laid, so less may be known
        self.forgotten = 0  #: how often
        self.fits = 0
        self.kinds = sorted(set(cards))
        self.seen = parse_cards("8S") if decks == 1 else parse_cards("8S 5S")  #: cards that lie where all saw them
        self.stock: list[int] = []
        self.shuffle_in(list(cards))

    def shuffle_in(self, cards: list[int]) -> None:
        """A new stock."""
        before = self.forgotten
        e = int(open_pool(self.s))
        if self.forgotten == before:
            assert self.unsettled(self.s) + self.s.pile_size <= vars(knowledge)["TOKENS"]
        for card in cards:
            add_token(self.s, e, card, 1)
        self.stock = cards
        self.s.stock[: len(cards)], self.s.stock_size = cards, len(cards)
        content = counted(Counter(cards))
        self.worlds = Counter({((*pools, content), hands): n for (pools, hands), n in self.worlds.items()})

    def take(self, seat: int) -> None:
        """A seat gets a card of the stock."""
        card = self.stock.pop()
        self.s.stock_size -= 1
        self.hands[seat][card] += 1
        self.worlds = taken(self.worlds, seat)
        give(self.s, seat, card, 0)

    def take_seen(self, seat: int, card: int) -> None:
        """A seat gets a card that lay where everybody had seen it."""
        self.hands[seat][card] += 1
        give(self.s, seat, card, 1)
        kind = KINDS.index(card)
        self.worlds = Counter({(pools, put(hands, seat, kind, 1)): n for (pools, hands), n in self.worlds.items()})

    def lay(self, seat: int, card: int) -> None:
        self.hands[seat] -= Counter([card])
        kind = KINDS.index(card)
        held = {world: n for world, n in self.worlds.items() if world[1][seat][kind]}
        self.worlds = Counter({(pools, put(hands, seat, kind, -1)): n for (pools, hands), n in held.items()})
        leave(self.s, seat, card)
        self.s.pile[self.s.pile_size] = card
        self.s.pile_size += 1

    def lack(self, seat: int, cards: Sequence[int]) -> None:
        """A seat shows that it has none of these kinds: no more than three that it has laid, as tallies count."""
        kinds = [KINDS.index(card) for card in cards if numbers(self.s.gone[seat])[card] < 3]
        self.fits = set_of(cards)
        prove(self.s, seat)
        self.worlds = Counter({w: n for w, n in self.worlds.items() if not any(w[1][seat][kind] for kind in kinds)})

    def reshuffle(self, dice: random.Random) -> None:
        """The discards but the upcard become the stock."""
        pile = [int(card) for card in self.s.pile[: self.s.pile_size]]
        cards = [card for card in pile[:-1] if card in KINDS]
        dice.shuffle(cards)
        self.s.pile[0], self.s.pile_size = pile[-1], 1
        self.shuffle_in(cards)

    def forget(self, s: Any) -> None:
        """As `forget` does: from now on the hidden cards could be dealt in any way."""
        assert self.full(s), "there is room"
        forget(s)
        self.forgotten += 1
        known = [numbers(s.known[p]) for p in (0, 1)]
        unknown = [self.hands[p] - known[p] for p in (0, 1)]
        pool = Counter(self.stock) + unknown[0] + unknown[1]
        self.worlds = Counter({((counted(pool),), (counted(known[0]), counted(known[1]))): 1})
        for p in (0, 1):
            for _ in range(unknown[p].total()):
                self.worlds = taken(self.worlds, p)

    def unsettled(self, s: Any) -> int:
        """The number of unsettled cards that hands have received."""
        return sum(
            self.hands[p].total() - numbers(s.known[p]).total() + numbers(s.gone[p]).total() for p in range(SEATS)
        )

    def full(self, s: Any) -> bool:
        """Whether there is no room for more batches, pools, cards of pools, or cards of a kind that are not settled."""
        gone = [numbers(s.gone[p]) for p in range(SEATS)]
        limits = vars(knowledge)
        return (
            limits["BATCHES"] in s.batches[:SEATS]
            or 3 in [number for numbers in gone for number in numbers.values()]
            or s.pools == limits["POOLS"]
            or self.unsettled(s) + s.pile_size > limits["TOKENS"]
        )

    def blur(self, s: Any, seat: int) -> int:
        """`blur`, and remember it."""
        possible = any(
            s.origin[seat, b] == s.origin[seat, b + 1] and not any(s.most[seat, b]) for b in range(s.batches[seat] - 1)
        )
        done = blur(s, seat)
        assert done == possible
        self.blurred |= done == 1
        return int(done)

    def possible(self) -> dict[int, Counter[Hashable]]:
        """The worlds that two viewers may think possible."""
        by_viewer: dict[int, Counter[Hashable]] = {0: Counter(), VIEWER: Counter()}
        own = counted(self.hands[0])
        for (pools, hands), n in self.worlds.items():
            world = (*(listed(cards) for cards in hands), ()), listed(pools[-1])
            by_viewer[VIEWER][world] += n
            if hands[0] == own:
                by_viewer[0][world] += n
        return by_viewer

    def judge(self) -> None:
        """The worlds that the rules think possible are these, and their odds are the same."""
        for p in range(SEATS):
            assert numbers(self.s.hands[p]) == self.hands[p]
            assert self.s.counts[p] == self.hands[p].total()
        for viewer, worlds in self.possible().items():
            by_rules = allowed(self.s, viewer)
            if self.blurred:
                assert set(by_rules) >= set(worlds)
            else:
                check_same(by_rules, worlds)

    def sample(self, count: int = 3) -> None:
        """Worlds that are drawn are among these."""
        for viewer, worlds in self.possible().items():
            view = self.s.copy()
            contract.redact(view, viewer)
            for world in oracle.worlds_for(view, viewer, count, prng.key_of("facts")):
                hands, stock = hidden(world)
                assert self.blurred or (hands, tuple(sorted(stock))) in worlds


def check_short(s: Any, seat: int) -> None:
    """Nothing is kept about a seat's batches that says nothing."""
    one = s.rules.decks == 1
    for b in range(s.batches[seat]):
        assert s.room[seat, b]
        same = b + 1 < s.batches[seat] and s.origin[seat, b] == s.origin[seat, b + 1]
        assert not same or knowledge.shown_at(s, seat, b)
        matters = s.tokens[s.origin[seat, b], 0] if one else knowledge.hidden(s)
        assert not knowledge.shown_at(s, seat, b) & ~matters, "all cards of the kind are settled"
        for kind in cards_in(int(s.least[seat, b, 0])) if one else ():
            assert sum(1 for _ in may_have_held(s, seat, b, kind)) > 1, "the card is not settled"


def check_pair(s: Any, kind: int) -> None:
    """Two packs: a kind whose cards are all laid is settled, if each seat's can be of one batch only."""
    if sum(numbers(s.tokens[e])[kind] for e in range(s.pools)) > sum(numbers(s.gone[p])[kind] for p in range(SEATS)):
        return
    ways = [len(list(may_have_held_some(s, p, kind))) for p in range(SEATS) if numbers(s.gone[p])[kind]]
    assert not ways or max(ways) > 1, "the kind is not settled"


def may_have_held_some(s: Any, seat: int, kind: int) -> Iterator[int]:
    """Two packs: the batches of which the cards of a kind may be that a seat has laid."""
    shown = [b for b in range(s.batches[seat]) if numbers(s.least[seat, b])[kind]]
    for b in range(max(shown, default=-1), -1, -1):
        if numbers(s.most[seat, b])[kind] == 1:
            return
        if numbers(s.tokens[s.origin[seat, b]])[kind]:
            yield b


def may_have_held(s: Any, seat: int, last: int, kind: int) -> Iterator[int]:
    """One pack: the batches of which a card may be that was laid when `last` was the newest."""
    for b in range(last, -1, -1):
        if s.origin[seat, b] != s.origin[seat, last] or s.most[seat, b, 0] >> kind & 1:
            return
        yield b


def act(table: Table, dice: random.Random, seats: int) -> None:
    seat = dice.randrange(seats)
    held = sorted(table.hands[seat])
    lacked = [kind for kind in table.kinds if kind not in held]
    roll = dice.random()
    if not table.stock and table.s.pile_size > 2 and roll < 0.5:
        table.reshuffle(dice)
    elif table.seen and roll < 0.06:
        table.take_seen(seat, table.seen.pop())
    elif table.stock and roll < 0.4:
        table.take(seat)
    elif held and roll < 0.7:
        card = dice.choice(held)
        table.lay(seat, card)
        if table.s.rules.decks == 2:
            check_pair(table.s, card)
        if not table.blurred:
            check_short(table.s, seat)
    else:
        table.lack(seat, dice.sample(lacked, min(len(lacked), dice.randint(1, 2))))
        if not table.blurred:
            check_short(table.s, seat)


def begun(patch: pytest.MonkeyPatch, decks: int, cards: list[int], dealt: Sequence[int]) -> Table:
    """A table with these numbers of cards in the first hands; the rules run plainly."""
    patch.setattr(Switch, "plain", True)
    table = Table(decks, cards)
    patch.setattr(knowledge, "playable", lambda s: table.fits)
    patch.setattr(knowledge, "forget", table.forget)
    patch.setattr(knowledge, "blur", table.blur)
    for seat, number in enumerate(dealt):
        for _ in range(min(number, len(table.stock))):
            table.take(seat)
    return table


@pytest.mark.rules("CE-11", "CE-12", "CE-Q3")
@pytest.mark.parametrize("limits", cases([{}, {"BATCHES": 2}, {"BATCHES": 3, "POOLS": 2}, {"TOKENS": 5}]), ids=str)
@pytest.mark.parametrize(
    ("decks", "fewest", "most", "acts", "seats"),
    cases(
        [
            (1, 5, 8, 20, 2),
            (2, 2, 4, 20, 2),
            (2, 2, 2, 60, 2),
            (1, 5, 7, 30, 1),
            (1, 2, 5, 40, 2),
            (1, 3, 5, 60, 1),
            (2, 2, 3, 60, 1),
        ],
        3,
    ),
)
def test_what_all_know_is_what_a_ledger_says(
    decks: int, fewest: int, most: int, acts: int, seats: int, limits: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Judged after every act. With few kinds the cards go round several times. The shapes with few acts and more cards
    have enough worlds to take most of the time: fewer tables of those.
    """
    for name, number in limits.items():
        monkeypatch.setattr(knowledge, name, number)
    for number in range((many(5, 15) if limits else many(9, 30)) // (1 if acts > 20 else many(3, 1))):
        dice = random.Random(f"{decks} {acts} {number}")
        cards = KINDS[: dice.randint(fewest, most)] * decks
        dice.shuffle(cards)
        table = begun(monkeypatch, decks, cards, [dice.randint(1, 3) for _ in range(seats)])
        for _ in range(dice.randint(4, acts)):
            act(table, dice, seats)
            table.judge()
        table.sample()


@pytest.mark.rules("CE-Q3")
@pytest.mark.parametrize("seat", [0, 1])
def test_a_card_laid_lies_nowhere_else(seat: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One pack. A card laid may have come before or after the seat showed that it lacked another; it came to no other
    hand, and is not in the stock.
    """
    table = begun(monkeypatch, 1, KINDS[:8], [1, 1])
    first = next(iter(table.hands[seat]))
    table.lack(seat, [kind for kind in table.kinds if not table.hands[seat][kind]][:1])
    table.take(seat)
    table.take(1 - seat)
    table.lay(seat, first)
    assert numbers(table.s.gone[seat]) == {first: 1}, "it is not settled"
    table.judge()
    table.sample(30)


@pytest.mark.rules("CE-13", "CE-Q7")
def test_hands_are_shown_at_the_end() -> None:
    """Of a deal that somebody wins, and of a void one."""
    for hand in ("2C", "2C 3C"):
        position = {"game": "crazy-eights", "hands": [hand, "2D 3D"], "discards": "2S", "turn": 0}
        m = Match.from_position({**position, "options": {"scoring": "points", "turn_cap": 1}}, seed=1, auto=False)
        m.play("2C")
        assert m.results
        s = state(m)
        contract.redact(s, 0)
        assert numbers(s.hands[1]) == Counter(parse_cards("2D 3D"))
