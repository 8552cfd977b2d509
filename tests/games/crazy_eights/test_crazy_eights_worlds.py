"""Worlds of Crazy Eights: what a seat thinks possible is just what could be, and each with its chance.

Judged by enumeration: every deal of a few cards, and every reshuffle, is played again by the acts that were seen.
"""

from __future__ import annotations

import itertools
import math
import os
import random
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import cards_in, parse_cards
from cardtable.games.crazy_eights import knowledge, rules
from cardtable.games.crazy_eights.knowledge import add_token, clear, give
from cardtable.games.crazy_eights.possible import contradictions
from cardtable.games.crazy_eights.state import DRAW, WILD
from cardtable.kernel import Switch, prng
from cardtable.rules import contract
from cardtable.rules.ruleset import Ruleset
from tests.conftest import PLAIN
from tests.support.effort import LONG, cases
from tests.support.games import oracle

MOST = 30 if PLAIN else 600  #: worlds of a position; where there are more, it takes too many draws to tell
STORIES = int(os.environ.get("CARDTABLE_EIGHTS_STORIES", "6" if PLAIN else "12"))
#: 5S 6S 7S 9S 5H 6H 7D 9D and the eights of spades and hearts: most of them go with each other
FEW = [4, 5, 6, 8, 17, 18, 32, 34, 7, 20]


def empty(seats: int, options: dict[str, Any]) -> Any:
    """A state with these house rules and no cards."""
    s: Any = Ruleset.parse("crazy-eights", None, seats, options).state()
    s.rng[:] = prng.key_of("reshuffles")
    s.in_play = (1 << seats) - 1
    s.winner = -1
    s.direction = s.deal_number = 1
    clear(s)
    return s


def lay_out(s: Any, hands: list[list[int]], stock: list[int], pile: list[int], sure: int = -1) -> Any:
    """The cards of a beginning: one pool, and nothing shown. sure: a place of the stock that all know."""
    s.pools = 1
    for card in [card for hand in hands for card in hand] + [card for k, card in enumerate(stock) if k != sure]:
        add_token(s, 0, card, 1)
    for p, hand in enumerate(hands):
        for card in hand:
            give(s, p, card, 0)
    s.stock[: len(stock)], s.pile[: len(pile)] = stock, pile
    s.stock_size, s.pile_size = len(stock), len(pile)
    if sure >= 0:
        s.sure[sure] = stock[sure] + 1
    return s


def late(seats: int, options: dict[str, Any], dice: random.Random) -> tuple[Any, int]:
    """A beginning with few cards, and the place of a buried card in its stock (-1: none)."""
    packs = 2 if options.get("decks") == "2" else 1
    cards = dice.sample(FEW * packs if packs == 1 else (FEW[:4] + FEW[-1:]) * 2, 9)
    while WILD >> cards[-1] & 1:
        dice.shuffle(cards)
    sizes = [dice.randint(1, 3) for _ in range(seats)]
    stock = dice.randint(0, 2 if packs == 1 else 1)
    while sum(sizes) + stock > 6:
        sizes[dice.randrange(seats)] = 1
        stock = min(stock, 1)
    rows = [cards[sum(sizes[:p]) : sum(sizes[: p + 1])] for p in range(seats)]
    rest = cards[sum(sizes) :]
    wild = [k for k, card in enumerate(rest[:stock]) if WILD >> card & 1]
    s = empty(seats, options)
    sure = wild[0] if wild and dice.random() < 0.7 else -1
    s.turn = dice.randrange(seats)
    return lay_out(s, rows, rest[:stock], rest[stock:], sure), sure


def tally(s: Any, p: int) -> list[int]:
    """A hand."""
    low, high = s.hands[p].tolist()
    return sorted(cards_in(low) + 2 * cards_in(high))


def redeals(s: Any, viewer: int, sure: int) -> Iterator[Any]:
    """Every way in which the cards that the viewer does not see might lie at the beginning."""
    others = [p for p in range(int(s.seats)) if p != viewer]
    stock = [int(card) for card in s.stock[: s.stock_size]]
    open_places = [k for k in range(len(stock)) if k != sure]
    unseen = [card for p in others for card in tally(s, p)] + [stock[k] for k in open_places]
    for order in sorted(set(itertools.permutations(unseen))):
        rest = list(order)
        hands = [
            tally(s, p) if p == viewer else [rest.pop() for _ in range(int(s.counts[p]))] for p in range(int(s.seats))
        ]
        if any(hand != sorted(hand) for hand in hands):
            continue  # a hand has no order; see `weight`
        t = s.copy()
        clear(t)
        cards = list(stock)
        for k in open_places:
            cards[k] = rest.pop()
        yield lay_out(t, hands, cards, [int(card) for card in s.pile[: s.pile_size]], sure)


def weight(s: Any) -> int:
    """In how many orders the hands could have been dealt: equal cards of two packs are one."""
    ways = 1
    for p in range(int(s.seats)):
        hand = tally(s, p)
        ways *= len(set(itertools.permutations(hand)))
    return ways


def ends(story: oracle.Story, begin: Any, viewer: int, k: int = 0) -> Iterator[Any]:
    """The ends to which a beginning may have come, for all that the viewer saw; every reshuffle is tried."""
    if oracle.seen(begin, viewer) != story.views[viewer][k]:
        return
    if k == len(story.acts):
        yield begin
        return
    seat, move = story.acts[k]
    moves = np.empty(rules.MAX_MOVES + 1, np.int64)
    if move not in moves[: contract.legal(begin, seat, moves)].tolist():
        return
    if move != DRAW or begin.stock_size:
        t = begin.copy()
        contract.play(t, seat, move)
        yield from ends(story, t, viewer, k + 1)
        return
    pile = sorted(begin.pile[: begin.pile_size - 1].tolist())
    for card in sorted(set(pile)):
        rest = list(pile)
        rest.remove(card)
        t = redrawn(begin, seat, [*rest, card])
        # The card that is drawn is all that a seat learns of the order: the others lie as they were put.
        assert t.stock[: t.stock_size].tolist() == rest
        for order in sorted(set(itertools.permutations(rest))):
            other = t.copy()
            other.stock[: len(order)] = order
            yield from ends(story, other, viewer, k + 1)


def redrawn(begin: Any, seat: int, order: list[int]) -> Any:
    """The state after a draw that turns over the pile into this order. The last card is drawn."""

    def arrange(words: Any, row: Any, n: int) -> None:
        row[:n] = order

    t = begin.copy()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Switch, "plain", True)
        patch.setattr(rules, "prng", SimpleNamespace(shuffle_stock=arrange))
        contract.play(t, seat, DRAW)
    return t


def hidden(s: Any) -> tuple[Any, Any]:
    """What a world decides."""
    return tuple(tuple(tally(s, p)) for p in range(int(s.seats))), tuple(s.stock[: s.stock_size].tolist())


def judged(
    begin: Any, sure: int, acts: int, words: Any, viewer: int, opening: Sequence[int] = ()
) -> tuple[Any, Counter[tuple[Any, Any]]]:
    """A story, and the chances of all the worlds that the viewer may think possible at its end."""
    story = oracle.tell(begin, acts, words, rules.MAX_MOVES, opening)
    weights: Counter[tuple[Any, Any]] = Counter()
    if story.end.over:
        return story, weights
    for deal in redeals(begin, viewer, sure):
        for end in ends(story, deal, viewer):
            weights[hidden(end)] += weight(deal)
    return story, weights


def sampled(view: Any, viewer: int, count: int) -> Counter[Hashable]:
    """Worlds that `resample` draws; each looks to the viewer like what they see."""
    drawn: Counter[Hashable] = Counter()
    for world in oracle.worlds_for(view, viewer, count, prng.key_of("samples")):
        drawn[hidden(world)] += 1
    assert oracle.seen(world, viewer) == bytes(view.tobytes())
    return drawn


HOUSES: dict[str, tuple[int, dict[str, Any]]] = {
    "willing": (3, {}),
    "unwilling": (3, {"draw_willing": "no"}),
    "two seats": (2, {"draw_willing": "no"}),
    "jokers": (3, {"draw_willing": "no", "jokers": "2"}),
    "a joker": (3, {"draw_willing": "no", "jokers": "1"}),
    "two packs": (3, {"decks": "2"}),
    "two packs, unwilling": (3, {"decks": "2", "draw_willing": "no"}),
    "two packs, two seats": (2, {"decks": "2"}),
}


@pytest.mark.rules("CE-11", "CE-12", "CE-Q3", "CE-Q4")
@pytest.mark.parametrize("name", cases(HOUSES))
def test_resample_draws_what_could_be_and_each_with_its_chance(name: str) -> None:
    """Draws, forced draws, passes, reshuffles and buried cards, for every seat.

    Seeded by the house's name; other streams would fail with the chance `oracle.CHANCE`.
    """
    seats, options = HOUSES[name]
    dice = random.Random(name)
    words = prng.key_of(name)
    deviates: list[float] = []
    reshuffled = 0
    # Exchanges of cards, by which worlds of two packs are drawn, take long in plain Python.
    brief = PLAIN and "decks" in options
    while len(deviates) < (1 if brief else STORIES):
        begin, sure = late(seats, options, dice)
        viewer = dice.randrange(seats)
        story, weights = judged(begin, sure, dice.randint(1, 9), words, viewer)
        assert story.end.over or hidden(story.end) in weights
        if not 2 <= len(weights) <= MOST:
            continue
        view = np.frombuffer(story.views[viewer][-1], begin.dtype).copy().view(np.recarray)[0]
        drawn = sampled(view, viewer, 10 * len(weights) if brief else oracle.enough(weights))
        assert set(drawn) <= set(weights), (story.acts, viewer)
        deviates.append(oracle.chi_square(drawn, {key: float(n) for key, n in weights.items()}))
        reshuffled += int(story.end.pools) > 1
    oracle.check_deviates(deviates)
    assert reshuffled or PLAIN


def numbers(tally: Any) -> Counter[int]:
    """How many of each kind a tally counts."""
    low, high = (int(mask) for mask in tally)
    return Counter({kind: (low >> kind & 1) + 2 * (high >> kind & 1) for kind in cards_in(low | high)})


def sequences(cards: Counter[int]) -> int:
    """In how many orders some cards can lie."""
    return math.factorial(cards.total()) // math.prod(math.factorial(n) for n in cards.values())


def parts(cards: Counter[int], sizes: list[int]) -> Iterator[list[Counter[int]]]:
    """Every way to part cards into sets of these sizes and a rest."""
    if not sizes:
        yield [cards]
        return
    for chosen in {tuple(sorted(some)) for some in itertools.combinations(sorted(cards.elements()), sizes[0])}:
        for others in parts(cards - Counter(chosen), sizes[1:]):
            yield [Counter(chosen), *others]


def allowed(view: Any, viewer: int) -> Counter[Hashable]:
    """The worlds that agree with what all know, each with the number of orders in which its cards may have come."""
    s, n = view.copy(), int(view.seats)
    others = [p for p in range(n) if p != viewer]
    places, ways = [], []
    for e in range(int(s.pools)):
        mine = [b for b in range(s.batches[viewer]) if s.origin[viewer, b] == e]
        unplaced = numbers(s.tokens[e]) - sum((numbers(s.has[viewer, b]) for b in mine), Counter())
        here = [(p, b) for p in others for b in range(s.batches[p]) if s.origin[p, b] == e]
        places.append(here)
        ways.append(list(parts(unplaced, [int(s.room[p, b]) for p, b in here])))
    masks = np.concatenate([s.tokens[: s.pools].ravel(), s.least[:n].ravel(), s.most[:n].ravel()])
    kinds = cards_in(int(np.bitwise_or.reduce(masks)))
    worlds: Counter[Hashable] = Counter()
    for way in itertools.product(*ways):
        came = {p: numbers(s.known[p]) for p in others}
        orders, stock = 1, Counter({int(card) - 1: 1 for card in s.sure[: s.stock_size] if card})
        for here, sets in zip(places, way, strict=True):
            for (p, b), cards in zip(here, sets, strict=False):
                s.has[p, b] = [sum((n >> x & 1) << kind for kind, n in cards.items()) for x in range(2)]
                came[p] += cards
                orders *= sequences(cards)
            stock += sets[-1]
        if any(contradictions(s, p, kind) for p in others for kind in kinds):
            continue
        for p in others:
            assert numbers(s.gone[p]) <= came[p], "a seat had received what it has laid"
            came[p] -= numbers(s.gone[p])
        unsure = stock - Counter(int(card) - 1 for card in s.sure[: s.stock_size] if card)
        hands = tuple(tuple(tally(s, p) if p == viewer else sorted(came[p].elements())) for p in range(n))
        worlds[hands, tuple(sorted(stock.elements()))] += orders * sequences(unsure)
    return worlds


def check_same(known: Counter[Hashable], true: Counter[Hashable], said: object = None) -> None:
    """The worlds are the true ones, with the same odds."""
    assert set(known) == set(true), said
    assert len({Fraction(n, true[world]) for world, n in known.items()}) == 1, said


@pytest.mark.rules("CE-11", "CE-12", "CE-Q3", "CE-Q4")
@pytest.mark.parametrize("name", cases(HOUSES))
def test_what_all_know_allows_what_could_be_and_no_more(name: str) -> None:
    """Without random numbers: every way to place the hidden cards is tried, and the worlds and their odds are exactly
    those of all the deals consistent with what was seen.
    """
    seats, options = HOUSES[name]
    dice = random.Random(f"exactly {name}")
    words = prng.key_of(f"exactly {name}")
    several = 0
    while several < 15:
        begin, sure = late(seats, options, dice)
        viewer = dice.randrange(seats)
        story, true, known = known_and_true(begin, sure, dice.randint(1, 14), words, viewer)
        if story.end.over:
            continue
        check_same(known, true, (story.acts, viewer))
        several += len(true) > 1


def known_and_true(
    begin: Any, sure: int, acts: int, words: Any, viewer: int, opening: Sequence[int] = ()
) -> tuple[Any, Counter[Hashable], Counter[Hashable]]:
    """A story; the true worlds for a viewer; and those consistent with public knowledge at its end."""
    story, weights = judged(begin, sure, acts, words, viewer, opening)
    true: Counter[Hashable] = Counter()
    for (hands, stock), n in weights.items():
        true[hands, tuple(sorted(stock))] += n
    view = np.frombuffer(story.views[viewer][-1], begin.dtype).copy().view(np.recarray)[0]
    return story, true, Counter() if story.end.over else allowed(view, viewer)


def unlucky(options: dict[str, Any], hand: str, stock: str) -> Any:
    """Seat 1 is to play on 5S with a hidden hand, and seat 0 holds 9C KH and two more. stock: the next card first."""
    s = empty(2, options)
    s.turn = 1
    return lay_out(s, [parse_cards("9C KH 4D 2H"), parse_cards(hand)], parse_cards(stock)[::-1], parse_cards("5S"))


@pytest.mark.rules("CE-11", "CE-Q3")
@pytest.mark.parametrize(
    ("hand", "stock", "card", "after"),
    cases(
        [
            (hand, stock, card, after)
            for k, (hand, stock) in enumerate([("JH 7D", "9S TH KC 2S 3C"), ("JH TH", "9S QD KC 3C AS")])
            for m, after in enumerate((0, 3, 5, 7, 9) if LONG else (0, 5, 9))
            for card in (("JH", "TH") if LONG else ("JH", "TH")[(k + m) % 2],)
        ]
    ),
)
def test_a_card_laid_may_be_of_two_draws(hand: str, stock: str, card: str, after: int) -> None:
    """One pack. Seat 1 draws in two turns until it can play, so it is known what it lacked in each; then it lays a card
    that it may have had from the first or drawn in the second turn. Some acts later the worlds are exact.
    """
    begin = unlucky({"draw_willing": "no"}, hand, stock)
    opening = [DRAW, *parse_cards("9S 9C"), DRAW, DRAW, *parse_cards("KC KH")]
    opening += parse_cards(card)
    words = prng.key_of(f"{hand} {stock} {card} {after}")
    story, true, known = known_and_true(begin, -1, len(opening) + after, words, 0, opening)
    if not story.end.over:
        check_same(known, true, story.acts)


@pytest.mark.rules("CE-11")
def test_a_draw_that_does_not_help_adds_to_the_batch() -> None:
    """What is known of the hand and of the card drawn is the same: neither fits 5S."""
    begin = unlucky({"draw_willing": "no"}, "JH 7D", "6D TH 9S 2S 3C")
    for draws, room in ((1, [2, 1]), (2, [3, 1]), (3, [4, 1])):
        s = oracle.tell(begin, draws, prng.key_of("draws"), rules.MAX_MOVES, [DRAW] * draws).end
        assert s.room[1, : s.batches[1]].tolist() == room
        assert s.most[1, :2, 0].tolist() == [sum(1 << card for card in parse_cards("9S 2S")), 0]
    lays = [DRAW, DRAW, DRAW, *parse_cards("9S")]
    s = oracle.tell(begin, 4, prng.key_of("draws"), rules.MAX_MOVES, lays).end
    assert s.room[1, : s.batches[1]].tolist() == [4]


#: cards few of which go with each other
UNLIKE = "5S 9S JS 6H TH JH 7D 9D KD 2C 6C KC"


@pytest.mark.rules("CE-11", "CE-Q3")
@pytest.mark.parametrize("part", cases(range(4)))
def test_lacks_and_cards_laid_together(part: int) -> None:
    """Two packs, and two seats that often cannot play: stories after which both what a seat lacked and what it laid
    says something about its hand.
    """
    dice = random.Random(f"lacks {part}")
    words = prng.key_of(f"lacks {part}")
    telling = 0
    while telling < 4:
        cards = dice.sample(dice.sample(parse_cards(UNLIKE), 5) * 2, 10)
        begin = empty(2, {"decks": "2", "draw_willing": "no"})
        begin.turn = dice.randrange(2)
        begin = lay_out(begin, [cards[:2], cards[2:4]], cards[4:9], cards[9:])
        acts = dice.randint(4, 16)
        story = oracle.tell(begin, acts, words.copy(), rules.MAX_MOVES)
        facts = story.end
        if facts.over or not facts.most[1].any() or not facts.least[1].any():
            words = prng.key_of(f"{part} {dice.random()}")
            continue
        story, true, known = known_and_true(begin, -1, acts, words, 0)
        check_same(known, true, story.acts)
        telling += 1


@pytest.mark.rules("CE-11", "CE-12")
@pytest.mark.parametrize("name", cases(["two packs, unwilling", "unwilling"]))
@pytest.mark.parametrize("limit", [("BATCHES", 1), ("BATCHES", 2), ("POOLS", 2), ("TOKENS", 5)], ids=str)
def test_without_room_only_less_is_known(name: str, limit: tuple[str, int]) -> None:
    """Where the rows are too short for all that was shown, some of it is forgotten: every world that could be is still
    allowed. (Plain: the lengths are constants of the compiled rules.)
    """
    seats, options = HOUSES[name]
    dice = random.Random(f"short {name} {limit}")
    words = prng.key_of(f"short {name}")
    forgotten = 0  # how often
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Switch, "plain", True)
        patch.setattr(knowledge, *limit)
        for number in range(400):
            if number >= 40 and forgotten:
                break
            begin, sure = late(seats, options, dice)
            viewer = dice.randrange(seats)
            story, true, known = known_and_true(begin, sure, dice.randint(3, 14), words, viewer)
            if not story.end.over:
                assert set(true) <= set(known), (story.acts, viewer)
                forgotten += len(known) > len(true)
    assert forgotten
