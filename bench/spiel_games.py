"""Games of OpenSpiel and Cardtable with the same rules, as pairs of states in which the same moves are made.

* **Oh Hell!**, four seats, the first deal with ten cards each; the dealer may not bring the sum of bids to ten.
  OpenSpiel plays it with `off_bid_penalty` and ten points a trick, where a bid that is made pays ten more than ours
  unless it is none. Our state is a record of its own with that payoff (`SpielOhHell`), so search plays for the same
  points. OpenSpiel's worlds (`resample_from_infostate`, 2.0.2) have the same forty cards in the hands as the deal: they
  know which cards are not dealt. So that both sides know as much, these cards lie face up, as if they had been played.
* **Crazy Eights**, four seats with five cards each; who is able to play may draw. A deal in which an eight is turned up
  is left out, because OpenSpiel puts it back in another way. The discards are shuffled as soon as the stock has run
  out, as OpenSpiel does; if that leaves no stock, the deal is void. A deal is won or lost: OpenSpiel's points for the
  cards left are not ours.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias, cast

import numpy as np

from cardtable.base.cards import ALL_52, parse_card
from cardtable.base.types import MoveCode, SeatNumber
from cardtable.games.crazy_eights.rules import reshuffle
from cardtable.games.crazy_eights.state import DRAW, NAMED_8, PASS
from cardtable.games.oh_hell import rules as oh_hell
from cardtable.games.oh_hell.options import OhHellOptions
from cardtable.games.oh_hell.policy import heuristic, slip
from cardtable.games.shared.scores import SEATS
from cardtable.games.shared.tricks import TrickTable
from cardtable.kernel import Ints, bits, field, prng, rule
from cardtable.rules import contract
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules, State
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset

Pyspiel: TypeAlias = Any  #: OpenSpiel's module
SpielState: TypeAlias = Any  #: a state of one of its games
SEATED = 4
MADE = 10.0  #: what OpenSpiel pays more than we for a bid that is made, unless it is none
ELSE = 1 << 20  #: between the numbers of the deals that are tried in place of one another


class SpielOhHell(TrickTable):
    """A table of Oh Hell! with OpenSpiel's points."""

    each: int = field()  # as in oh_hell.State, but in another order, which makes it another record
    rules: HouseRules = rules_of(OhHellOptions)
    upcard: int = field()
    bids: Ints = field("i8", SEATS)
    contenders: int = field()


@rule
def payoff(s: Any, out: SpielState) -> None:
    """Our points, and MADE for each bid made that is not none."""
    for p in range(s.seats):
        out[p] = s.gained[p] + (MADE if s.bids[p] == s.tricks[p] and s.bids[p] > 0 else 0.0)


contract.implement(
    SpielOhHell,
    oh_hell.start,
    oh_hell.deal,
    oh_hell.legal,
    oh_hell.play,
    oh_hell.resample,
    oh_hell.unseen,
    oh_hell.standing,
    oh_hell.bounds,
    heuristic,
    slip,
    payoff,
)


class OhHell:
    """Oh Hell! with ten cards each."""

    name = "oh-hell"
    theirs = "oh_hell(players=4,num_tricks_fixed=10,off_bid_penalty=True,points_per_trick=10)"
    bid = 52  #: OpenSpiel's action of bidding none

    def __init__(self, spiel: Pyspiel) -> None:
        self.spiel = spiel.load_game(self.theirs)
        ruleset = Ruleset.parse(self.name, "oh-hell", SEATED, {"dealer_rule": "not_equal"})
        ours = ruleset.game
        self.game = cast(
            Game,
            SimpleNamespace(
                name=self.name,
                player=None,
                weigher=None,
                prior=ours.prior,
                gate=ours.gate,
                rules=SimpleNamespace(State=SpielOhHell, MAX_MOVES=oh_hell.MAX_MOVES),
            ),
        )
        real: Any = ruleset.state()
        start: SpielState = SpielOhHell.new()
        for name in real.dtype.names:
            start[name] = real[name]
        self._start = cast(State, start)
        state = self.spiel.new_initial_state()
        state.apply_action(state.legal_actions()[0])
        state.apply_action(state.legal_actions()[0])
        self._action = {_card(state.action_to_string(-1, a)): a for a in state.legal_actions()}
        self._move = {action: card for card, action in self._action.items()}

    def deal(self, key: prng.Words, number: int) -> tuple[State, SpielState]:
        """Deal `number` of a study in both systems."""
        s = cast(Any, _dealt(self._start, key, number))
        t = self.spiel.new_initial_state()
        t.apply_action(t.legal_actions()[0])
        t.apply_action(int(s.dealer))
        hands = [_cards(int(s.hands[p])) for p in range(SEATED)]
        for k in range(SEATED * len(hands[0])):
            t.apply_action(self._action[hands[k % SEATED][k // SEATED]])
        t.apply_action(self._action[int(s.upcard)])
        dealt = 1 << int(s.upcard)
        for p in range(SEATED):
            dealt |= int(s.hands[p])
        s.played |= ALL_52 & ~dealt
        return s, t

    def actions(self, s: State, move: MoveCode) -> list[int]:
        """OpenSpiel's actions for a move of ours."""
        return [self.bid + move - oh_hell.BID] if move >= oh_hell.BID else [self._action[move]]

    def stage(self, s: State) -> int:
        """How far a deal has come: positions of one stage take about the same time."""
        return int(cast(Any, s).played).bit_count()

    def over(self, s: State, t: SpielState) -> bool:
        """Whether the deal is over."""
        return bool(t.is_terminal())

    def paid(self, s: State) -> list[float]:
        """Our payoffs at the end."""
        out = np.zeros(contract.MAX_SEATS)
        contract.payoff(s, out)
        return [float(paid) for paid in out[:SEATED]]

    def values(self, t: SpielState) -> list[float]:
        """OpenSpiel's payoffs at the end."""
        return list(t.returns())

    def worlds(self, t: SpielState, seat: SeatNumber, chance: random.Random) -> Callable[[], SpielState]:
        """A function that gives OpenSpiel's worlds for a seat."""
        return lambda: t.resample_from_infostate(seat, chance.random)


class CrazyEights:
    """Crazy Eights to the first player without cards."""

    name = "crazy-eights"
    theirs = "crazy_eights(players=4,max_draw_cards=1000,max_turns=100000,reshuffle=True)"
    draw, nothing, suits, dealer, hand = 52, 53, 54, 52, 5  #: OpenSpiel's actions; cards in a hand

    def __init__(self, spiel: Pyspiel) -> None:
        self.spiel = spiel.load_game(self.theirs)
        ruleset = Ruleset.parse(self.name, "denexa", SEATED, {"hand_size": self.hand})
        self.game, self._start = ruleset.game, ruleset.state()
        state = self.spiel.new_initial_state()
        state.apply_action(self.dealer)
        self._action = {_card(state.action_to_string(-1, a)[-2:]): a for a in state.legal_actions()}
        suits = "CDHS"  # the order of OpenSpiel's actions that name a suit
        self._suit = {"SHDC".index(suit): self.suits + k for k, suit in enumerate(suits)}

    def deal(self, key: prng.Words, number: int) -> tuple[State, SpielState]:
        """Deal `number` of a study in both systems; another one in its place if an eight is turned up."""
        s = cast(Any, _dealt(self._start, key, number))
        while s.sure.any():
            number += ELSE
            s = cast(Any, _dealt(self._start, key, number))
        t = self.spiel.new_initial_state()
        t.apply_action(self.dealer + int(s.dealer))
        hands = [_cards(int(s.hands[p, 0])) for p in range(SEATED)]
        for k in range(SEATED * self.hand):
            t.apply_action(self._action[hands[(int(s.dealer) + 1 + k) % SEATED][k // SEATED]])
        t.apply_action(self._action[int(s.pile[0])])
        return s, t

    def actions(self, s: State, move: MoveCode) -> list[int]:
        """OpenSpiel's actions for a move of ours; of a draw, with the card that is drawn."""
        at = cast(Any, s)
        if move == DRAW:
            return [self.draw, self._action[int(at.stock[at.stock_size - 1])]]
        if move == PASS:
            return [self.nothing]
        if move >= NAMED_8:
            suit, named = divmod(move - NAMED_8, 4)
            return [self._action[7 + 13 * suit], self._suit[named]]
        return [self._action[move]]

    def stage(self, s: State) -> int:
        """How far a deal has come: positions of one stage take about the same time."""
        return int(cast(Any, s).counts[cast(Any, s).turn])

    def over(self, s: State, t: SpielState) -> bool:
        """Whether the deal is over, or void because there is no stock."""
        return bool(t.is_terminal()) or int(cast(Any, s).stock_size) == 0

    def paid(self, s: State) -> list[float]:
        """1 for the winner; nothing for anybody in a void deal."""
        out = np.zeros(contract.MAX_SEATS)
        if cast(Any, s).over:
            contract.payoff(s, out)
        return [float(paid) for paid in out[:SEATED]]

    def values(self, t: SpielState) -> list[float]:
        """1 for who has no cards left, and so no points against them."""
        return [1.0 if points == 0 else 0.0 for points in t.returns()]

    def worlds(self, t: SpielState, seat: SeatNumber, chance: random.Random) -> Callable[[], SpielState]:
        """A function that gives worlds for a seat, which OpenSpiel lacks for this game: the deal again, with other
        cards where the seat has not seen them. Each other player got a card that they laid by any of their draws
        before, all alike; but only since it was in the stock for the last time.
        """
        entries = t.full_history()
        actions = [entry.action for entry in entries]
        dealer, first = actions[0] - self.dealer, 1 + SEATED * self.hand
        got: dict[int, list[tuple[int, int]]] = {p: [] for p in range(SEATED)}  # where, and from which stock
        laid: list[tuple[int, list[int]]] = []  # a place with the card laid there, and where it may have been drawn
        shuffled, born, pile, left = 0, [0] * 52, [actions[first]], 52 - first
        for k in range(1, len(actions)):
            if k == first:
                continue
            if entries[k].player >= 0:
                if actions[k] < self.draw:
                    pile.append(actions[k])
                    laid.append((k, [entries[k].player, born[actions[k]], len(got[entries[k].player])]))
                continue
            p = (dealer + k) % SEATED if k < first else entries[k - 1].player
            got[p].append((k, shuffled))
            if k > first:
                left -= 1
                if left == 0:
                    shuffled += 1
                    left = len(pile) - 1
                    for card in pile[:-1]:
                        born[card] = shuffled
                    pile = pile[-1:]
        known = {*pile, *(actions[k] for k, _ in got.pop(seat) if born[actions[k]] == _)}
        return self._world(actions, got, laid, known, born, chance)

    def _world(
        self,
        actions: list[int],
        got: dict[int, list[tuple[int, int]]],
        laid: list[tuple[int, list[int]]],
        known: set[int],
        born: list[int],
        chance: random.Random,
    ) -> Callable[[], SpielState]:
        """A function that gives worlds. got: where each other player got cards; laid: by whom, from which stock and
        after how many cards they had got; known: the cards whose place the seat knows; born: the last stock of each
        card.
        """
        unseen: dict[int, list[int]] = {}
        for card in range(52):
            if card not in known:
                unseen.setdefault(born[card], []).append(card)

        def world() -> SpielState:
            dealt = list(actions)
            taken: set[int] = set()
            for k, (p, stock, cards) in laid:
                if p in got:
                    free = [at for at, which in got[p][:cards] if which == stock and at not in taken]
                    place = free[int(chance.random() * len(free))]
                    taken.add(place)
                    dealt[place] = actions[k]
            for stock, rest in unseen.items():
                chance.shuffle(rest)
                places = [at for places in got.values() for at, which in places if which == stock and at not in taken]
                for at, card in zip(places, rest, strict=False):
                    dealt[at] = card
            again = self.spiel.new_initial_state()
            for action in dealt:
                again.apply_action(action)
            return again

        return world


COURSES = {course.name: course for course in (OhHell, CrazyEights)}
Course = OhHell | CrazyEights


def made(course: Course, s: State, t: SpielState, move: MoveCode) -> None:
    """Make a move of ours in both systems. Raises AssertionError if they do not agree afterwards on who is to move."""
    seat = bits.lowest(int(contract.actors(s)))
    for action in course.actions(s, move):
        if not t.is_terminal():  # the last card may be an eight, after which no suit is named
            t.apply_action(action)
    contract.play(s, seat, move)
    if isinstance(course, CrazyEights):
        at = cast(Any, s)
        if not at.over and at.stock_size == 0 and at.pile_size > 1:
            reshuffle(at)
    assert course.over(s, t) or t.current_player() == bits.lowest(int(contract.actors(s)))


def move_for(course: Course, s: State, legal: Sequence[MoveCode], chosen: Sequence[int]) -> MoveCode:
    """The legal move that OpenSpiel's actions are: one, or an eight and a suit. A draw is one without its card."""
    for move in legal:
        if course.actions(s, move)[: 1 if move == DRAW else 2] == list(chosen):
            return move
    raise AssertionError(f"{chosen} is no legal move here")


def names_suit(course: Course, t: SpielState, action: int) -> bool:
    """Whether a suit is to be named after an action."""
    if not isinstance(course, CrazyEights) or action >= course.draw or action // 4 != 6:
        return False
    after = t.child(action)
    return not after.is_terminal()


def _dealt(start: State, key: prng.Words, number: int) -> State:
    """The first deal of a match of a study."""
    s = start.copy()
    prng.derive(s.seed, key, number, prng.MATCH)
    contract.open_match(s)
    contract.next_deal(s, np.empty(112, np.int64))
    return s


def _card(text: str) -> int:
    """Our card for OpenSpiel's text: the suit comes first."""
    return parse_card(text[1] + text[0])


def _cards(mask: int) -> list[int]:
    return [card for card in range(52) if mask >> card & 1]
