"""The base of a match: opening, dealing, reading and making moves, and automatic moves."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import card_text
from cardtable.base.errors import (
    AmbiguousMove,
    IllegalMove,
    MatchOver,
    NotationError,
    NotYourTurn,
    OptionError,
    PositionError,
    Text,
    no_seat,
)
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, MoveCode, SeatNumber, Seed
from cardtable.kernel import following, prng
from cardtable.match.given_chance import Script, parse_cuts, parse_pack
from cardtable.match.history import Deal, DealResult, Result
from cardtable.rules import contract, first_deals
from cardtable.rules.catalog import Variant
from cardtable.rules.events import Event
from cardtable.rules.game import Choosy, Game
from cardtable.rules.options import Options
from cardtable.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from cardtable.rules.contract import State

MAX_PACK = 112
DEALINGS = 200  #: how often the unlisted cards of a position are dealt, at most …
ALIKE = 30  #: … and while all are refused for the same reason
_mine = threading.local()  #: each thread's buffer of legal moves, for all its matches


def _buffer(size: int) -> NDArray[np.int64]:
    """Room for this number of moves, reused by the next call in this thread."""
    moves: NDArray[np.int64] | None = getattr(_mine, "moves", None)
    if moves is None or len(moves) < size:
        moves = _mine.moves = np.zeros(size, np.int64)
    return moves


class BaseMatch:
    """The state of a match and its changes. `Match` adds the public methods.

    Results of the rules (`actors`, `_codes`, `_standing`) are needed several times between two moves, and cached
    until the state changes: when another one is set, or in `_changed` when it is changed in place. In real time
    nothing is cached, because an arbiter may change the state that it was given.
    """

    ruleset: Ruleset  #: the game, preset, seats and house rules
    game: Game  #: the game and its rules
    rules: str  #: the preset
    seats: SeatNumber  #: the number of seats
    options: Options  #: the house rules, all of them

    _keeps = True

    @property
    def _s(self) -> Any:
        return self._state

    @_s.setter
    def _s(self, state: Any) -> None:
        self._state = state
        self._changed()

    def _changed(self) -> None:
        """Clear the cached results of the rules."""
        self._acting_now: tuple[SeatNumber, ...] | None = None
        self._acting_seen: tuple[SeatNumber, ...] | None = None  #: a spectator's view of it
        self._standing_now: tuple[int, tuple[int, ...]] | None = None
        self._legal_now: dict[SeatNumber, tuple[MoveCode, ...]] = {}
        self._read_last: tuple[str, MoveCode] = "", 0  #: the last text that was read as a move in this state

    @property
    def variant(self) -> Variant:
        """The variant whose name was used to open the match."""
        return self.ruleset

    def _prepare(self, ruleset: Ruleset, seed: Seed | None, auto: bool, pause: bool) -> None:
        """Set an empty table up."""
        self.ruleset = ruleset
        # Plain attributes: `cached_property` makes the dictionary of a match, after which Python reads each of its
        # attributes more slowly.
        self.game, self.rules, self.seats, self.options = ruleset.game, ruleset.preset, ruleset.seats, ruleset.options
        self.seed = str(secrets.randbits(63) if seed is None else seed).strip()
        if not self.seed or len(self.seed) > 200 or any("\ud800" <= letter <= "\udfff" for letter in self.seed):
            raise NotationError(
                Message("seed {seed}", seed=repr(self.seed[:40])),
                Message("a seed is a number or a word of at most 200 letters"),
                Message("give one"),
            )
        self._auto = auto
        self.pause = pause  #: wait for `next_deal` when a deal is over
        self._keeps = ruleset.real_time is None
        self._s = self._new_state()
        self._deals: list[Deal] = []
        self._events: list[Event] = []
        self._result: Result | None = None
        self._opening: tuple[Event, ...] = ()
        self._opened: tuple[int, ...] = ()  #: the scores before the first deal
        self._position: JsonObject | None = None  #: the keys of the position in which it was opened

    def _new_state(self) -> Any:
        s: Any = self.ruleset.state()
        s.seed[:] = prng.key_of(self.seed)
        s.record_events = 1
        return s

    @property
    def actors(self) -> tuple[SeatNumber, ...]:
        """The seats that may act now; empty when the deal or the match is over."""
        return () if self._result else self._to_act

    @property
    def _to_act(self) -> tuple[SeatNumber, ...]:
        """The seats that may act by the state, also if the match was resigned."""
        if self._acting_now is None or not self._keeps:
            self._acting_now = self._actors(self._state)
        return self._acting_now

    def _actors(self, s: State) -> tuple[SeatNumber, ...]:
        mask = int(contract.actors(s))
        return tuple([seat for seat in range(self.seats) if mask >> seat & 1])

    def _standing(self, s: State | None = None) -> tuple[int, tuple[int, ...]]:
        """Whether the match is over and who won, as bits (`contract.standing`), and all scores. s: an earlier state."""
        if s is None and self._standing_now is not None and self._keeps:
            return self._standing_now
        out = np.zeros(contract.MAX_SEATS, np.int64)
        over = int(contract.standing(self._state if s is None else s, out))
        standing = over, tuple(out[: self.seats].tolist())
        if s is None:
            self._standing_now = standing
        return standing

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each seat now: chips, points or deals won."""
        return self._standing()[1]

    def _seat(self, seat: SeatNumber) -> None:
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < self.seats:
            raise no_seat(Message("seat {seat}", seat=repr(seat)), self.seats)

    def _open(self, dealer: SeatNumber | None, cuts: Sequence[str] = ()) -> None:
        named_cuts = parse_cuts(cuts)
        if named_cuts and dealer is not None:
            what, why = (
                Message("dealer={dealer} and cuts", dealer=str(dealer)),
                Message("whoever cut the right card deals"),
            )
            raise OptionError(what, why, Message("leave one of them out"), code="options/combination")
        if dealer is not None:
            if isinstance(dealer, bool) or not isinstance(dealer, int) or not 0 <= dealer < self.seats:
                raise no_seat(Message("dealer={dealer}", dealer=str(dealer)), self.seats, "options/range")
            named = self._s.rules.first_dealer
            self._s.rules.first_dealer = 1 + dealer
            contract.open_match(self._s)
            self._s.rules.first_dealer = named
        elif named_cuts:
            self._cut(named_cuts)
        else:
            contract.open_match(self._s)
        self._changed()
        self._opened = self._standing()[1]
        self._opening = tuple(self.game.events_of(self._s))
        self._events = list(self._opening)

    def _cut(self, cuts: list[tuple[SeatNumber, int]]) -> None:
        """Open the match with these cards cut for the first dealer. Raises PositionError if others are asked for."""
        for seat, _ in cuts:
            self._seat(seat)
        with following(Script(cuts=cuts)):
            contract.open_match(self._s)
        asked = [(event.source, event.card) for event in self.game.events_of(self._s) if event.kind == "cut"]
        if not asked:
            why = f"in {self.game.title} with these house rules nobody cuts for the deal"
            raise PositionError("cuts", why, "name the first dealer instead, with dealer=")
        if asked != [(seat, card_text(card)) for seat, card in cuts]:
            order = ", ".join(f"seat {seat}" for seat, _ in asked)
            why = f"the cuts do not follow the rules, by which these cut, in this order: {order}"
            raise PositionError("cuts", why, "name a card for each of them; only those who tie cut again")

    def _deal(self, pack: list[int] | None, orders: list[list[int]] | None = None) -> None:
        """Deal from the seed or a checked pack. Raises PositionError, changing nothing, if the orders do not fit."""
        s, cards, script = self._s.copy(), np.zeros(MAX_PACK, np.int64), Script(orders=orders or [])
        if pack is None:
            contract.next_deal(s, cards)
        else:
            prng.derive(s.rng, s.seed, int(s.deal_number) + 1, prng.DEAL)
            cards[: len(pack)] = pack
            with following(script) if orders else nullcontext():
                contract.deal(s, cards)
        self._s = s
        self._deals.append(Deal.of(s, pack, orders, script.used))
        self._events += self.game.events_of(s)

    def _checked(self, text: str) -> list[int]:
        """The cards of a whole pack, given as text. Raises NotationError, PositionError."""
        cards = np.zeros(MAX_PACK, np.int64)
        n = contract.pack(self._s, cards)
        pack = parse_pack(text, [int(card) for card in cards[:n]])
        if wrong := self._why_not_pack(pack):
            raise PositionError(Message("this pack"), *wrong)
        return pack

    def _why_not_pack(self, pack: list[int]) -> tuple[Text, Text] | None:
        """Why a whole pack cannot be dealt in this order, and what can be done; None: it can."""
        if not hasattr(self.game.presentation, "why_not_pack"):
            return None
        wrong, can = cast(Choosy, self.game.presentation).why_not_pack(self._s, pack)
        return (wrong, can) if wrong else None

    def _place(self, keys: JsonObject) -> None:
        from cardtable.rules import positions

        s, keys = self._s, positions.plain(keys)
        s.direction, s.winner, s.in_play = 1, -1, (1 << self.seats) - 1
        s.deal_number = positions.number(keys, "deal", 1, 10**6, 1)
        s.dealer = positions.seat(keys, "dealer", self.seats, self.seats - 1)
        prng.derive(s.rng, s.seed, int(s.deal_number), prng.DEAL)

        keys = self._dealt_to_agree(keys)
        self._changed()
        if keys:
            raise positions.no_such_key(next(iter(keys)), self.game.title, self.game.options.kinds())

    def _dealt_to_agree(self, given: JsonObject) -> JsonObject:
        """Put a position's keys on the table, and return the keys that the game has not read.

        Unlisted cards are dealt again if the game finds that they contradict the known facts.
        """
        start, lots, refused = self._s.copy(), False, set[str]()

        def shuffle(cards: list[int]) -> None:
            nonlocal lots
            lots = lots or len(cards) > 1
            row = np.array(cards, np.int64)
            prng.shuffle(self._s.rng, row, len(cards))
            cards[:] = [int(card) for card in row]

        for dealings in range(1, DEALINGS + 1):
            keys = dict(given)
            try:
                self.game.presentation.set_position(self._s, keys, shuffle)
                return keys
            except PositionError as error:
                refused.add(str(error))
                if not lots or error.code == "position/syntax" or dealings >= ALIKE and len(refused) == 1:
                    raise
                last_reason = error.why
            start.rng[:] = self._s.rng
            self._s = start.copy()
        why = f"in {DEALINGS} deals they never agreed with all that is known; at last, this was wrong: {last_reason}"
        raise PositionError("the unlisted cards", why, "name more cards, or leave out some of what is known")

    def _codes(self, seat: SeatNumber) -> tuple[MoveCode, ...]:
        """The legal moves of a seat that may act."""
        codes = self._legal_now.get(seat)
        if codes is None or not self._keeps:
            moves = _buffer(first_deals.room(self.game))
            n = contract.legal(self._state, seat, moves)
            first_deals.check_number(self.game, n)
            codes = self._legal_now[seat] = tuple(moves[:n].tolist())
        return codes

    def _acting(self, seat: SeatNumber | None) -> SeatNumber:
        """The seat that is to act. Raises MatchOver, NotYourTurn, OptionError."""
        if seat is not None:
            self._seat(seat)
        if self._result:
            raise MatchOver(Message("a move"), Message("the match is over"), Message("start a new match"))
        actors = self.actors
        if seat is None and len(actors) == 1:
            return actors[0]
        if seat is None or seat not in actors:
            raise NotYourTurn(seat, actors, over=self._deals[-1].result is not None)
        return seat

    def _code(self, text: str, seat: SeatNumber, code: MoveCode | None = None) -> MoveCode:
        """Find the legal move of a text. code: the result of parsing it in this state, if it was parsed.

        Raises NotationError, AmbiguousMove, IllegalMove.
        """
        words = self.game.presentation
        if code is None:
            code = self._read(text)
        legal = self._codes(seat)
        if code not in legal:
            reason, rule = words.why_not(self._s, seat, code)
            wanted = words.choices(self._s, seat, [code])[0]
            may = [words.move_text(self._s, move) for move in legal]
            raise IllegalMove(seat, wanted.text, reason, rule, may, wanted.verb, wanted.label)
        return code

    def _read(self, text: str) -> MoveCode:
        """Read a move. A reading for `why_not` is reused to play it.

        Raises NotationError, AmbiguousMove.
        """
        if not text or text != self._read_last[0] or not self._keeps:
            self._read_last = text, self.game.presentation.parse_move(self._s, text)
        return self._read_last[1]

    def _parts(self, text: str, seat: SeatNumber) -> list[tuple[str, MoveCode | None]]:
        """Split text into its moves; with the code of a single one, None for one of several.

        Raises NotationError, AmbiguousMove.
        """
        words = self.game.presentation
        try:
            return [(text, self._read(text))]
        except NotationError as whole:
            parts = text.replace(",", " ").split()
            if len(parts) < 2:
                raise
            for part in parts:  # report an invalid move before a wrong turn
                try:
                    words.parse_move(self._s, part)
                except AmbiguousMove:
                    continue
                except NotationError:
                    if any(" " in words.move_text(self._s, code) for code in self._codes(seat)):
                        raise whole from None  # here a move may have several words
                    raise
            return [(part, None) for part in parts]

    def _do(self, seat: SeatNumber, code: MoveCode, forced: bool) -> None:
        deal = self._deals[-1]
        move = self.game.presentation.move_text(self._s, code)
        self._step(seat, code)
        deal.acts.add(seat, move, forced, code)
        self._events += self.game.events_of(self._s)

    def _step(self, seat: SeatNumber, code: MoveCode) -> None:
        """Play a move; its reshuffles use the deal's orders. Raises PositionError if these have other cards."""
        deal = self._deals[-1]
        if deal.used == len(deal.orders):
            contract.play(self._s, seat, code)
            self._changed()
            return
        script = Script(orders=deal.orders[deal.used :])
        try:
            with following(script):
                contract.play(self._s, seat, code)
        finally:
            self._changed()
        deal.used += script.used

    def _finish(self) -> None:
        """Record the results if the deal is over."""
        deal = self._deals[-1]
        if deal.result is None and not self._to_act:
            out = np.zeros(contract.MAX_SEATS)
            contract.payoff(self._s, out)
            winner = int(self._s.winner)
            over, scores = self._standing()
            last = self._deals[-2].result if len(self._deals) > 1 else None
            gained = tuple(
                now - before for now, before in zip(scores, last.scores if last else self._opened, strict=True)
            )
            payoff = tuple(int(x) for x in out[: self.seats])
            deal.result = DealResult(int(self._s.deal_number), None if winner < 0 else winner, payoff, gained, scores)
            if over:
                named = tuple(p for p in range(self.seats) if over >> 1 >> p & 1)
                self._result = Result(
                    scores, named if over >> 1 else self._best(range(self.seats)), int(self._s.deal_number)
                )

    def _best(self, seats: Iterable[SeatNumber]) -> tuple[SeatNumber, ...]:
        """The seats with the best score among these."""
        scores = {p: -self.scores[p] if self.game.lowest_wins else self.scores[p] for p in seats}
        return tuple(p for p, score in scores.items() if score == max(scores.values()))

    def _follow(self) -> None:
        """Make the automatic moves."""
        while True:
            self._finish()
            if self._result or not self._auto:
                return
            if self._deals[-1].result:
                if self.pause:
                    return
                self._deal(None)
                continue
            if (automatic := self._automatic()) is None:
                return
            self._do(*automatic, forced=True)

    def _automatic(self) -> tuple[SeatNumber, MoveCode] | None:
        """The next move that the rulebook calls forced, and its seat."""
        for seat in self.actors:
            codes = self._codes(seat)
            if len(codes) == 1 and self.game.presentation.automatic(self._s, seat, codes[0]):
                return seat, codes[0]
        return None
