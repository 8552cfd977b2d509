"""Opening, viewing and playing a match: moves are checked and explained, forced ones made, all stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Self

from cardtable.base.errors import (
    CardtableError,
    MatchOver,
    NotationError,
    NothingToUndo,
    NotYourTurn,
    PositionError,
)
from cardtable.base.message import Message, mark
from cardtable.base.types import Json, JsonObject, MoveText, OptionValue, SeatNumber, Seed
from cardtable.match.base import BaseMatch
from cardtable.match.given_chance import parse_orders
from cardtable.match.history import Deal, DealResult, PlayedMove, Result
from cardtable.match.position import PositionKeys
from cardtable.rules import catalog, contract
from cardtable.rules.events import Event
from cardtable.rules.game import Game, Outlook
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.timing import refused
from cardtable.views.observed import Recall, past_of, redacted
from cardtable.views.view import View

if TYPE_CHECKING:
    from cardtable.rules.contract import State


ITERATIONS = 10_000  #: of an analysis, by default


class Playing(BaseMatch):
    """A match as it is opened, looked at and played. `Match` adds records, positions and what search thinks."""

    def __init__(
        self,
        game: str | Game,
        seats: int | None = None,
        rules: str | None = None,
        seed: Seed | None = None,
        *,
        dealer: SeatNumber | None = None,
        cuts: Sequence[str] = (),
        auto: bool = True,
        pause: bool = False,
        **options: OptionValue,
    ) -> None:
        self._begin(Ruleset.parse(game, rules, seats, options), seed, dealer, cuts, auto=auto, pause=pause)

    @classmethod
    def from_pack(
        cls,
        pack: str,
        game: str | Game,
        seats: int | None = None,
        rules: str | None = None,
        *,
        seed: Seed | None = None,
        dealer: SeatNumber | None = None,
        cuts: Sequence[str] = (),
        reshuffles: Sequence[str] = (),
        auto: bool = True,
        pause: bool = False,
        **options: OptionValue,
    ) -> Self:
        """A match whose first deal is dealt from `pack`, all its cards as text, the top card first.

        The default dealer is the last seat, so that seat 0 is eldest, unless cards are cut for the deal (`cuts`).
        Raises PositionError if the pack is not whole, or cannot be dealt in this order.
        """
        ruleset = Ruleset.parse(game, rules, seats, options)
        return cls.__new__(cls)._begin(ruleset, seed, dealer, cuts, pack, reshuffles, auto=auto, pause=pause)

    def _begin(
        self,
        ruleset: Ruleset,
        seed: Seed | None,
        dealer: SeatNumber | None = None,
        cuts: Sequence[str] = (),
        pack: str | None = None,
        reshuffles: Sequence[str] = (),
        *,
        auto: bool,
        pause: bool = False,
    ) -> Self:
        """Open the match, and deal its first deal. pack: as for `from_pack`; None: from the seed."""
        self._prepare(ruleset, seed, auto, pause)
        if pack is not None and dealer is None and not cuts:
            dealer = self.seats - 1
        self._open(dealer, cuts)
        self._deal(None if pack is None else self._checked(pack), parse_orders(reshuffles))
        self._follow()
        return self

    @classmethod
    def from_position(
        cls,
        position: str | Mapping[str, Json] | PositionKeys,
        *,
        seed: Seed | None = None,
        auto: bool = True,
        pause: bool = False,
    ) -> Self:
        """A match in mid-deal from a position (docs/api.md §4). Nothing moves until the first `play`.

        Raises PositionError.
        """
        keys = PositionKeys.parse(position).as_dict()
        m = cls.__new__(cls)
        name, options, title = keys.pop("game", None), keys.pop("options", {}), keys.pop("title", None)
        if not isinstance(name, str) or not isinstance(options, Mapping):
            why = "its options are no table" if isinstance(name, str) else "it does not say which game it is of"
            raise PositionError("this position", why, 'write game = "fan-tan"', code="position/syntax")
        hands = keys.get("hands")
        seats = keys.pop("seats", len(hands) if isinstance(hands, (list, tuple)) else None)
        preset = keys.pop("rules", None)
        preset = None if preset is None else str(preset)
        m._prepare(Ruleset.parse(catalog.known_as(name, title), preset, seats, options), seed, auto, pause)
        m._place(keys)
        m._opened = m._standing()[1]
        m._position = m._position_keys()
        m._deals.append(Deal.of(m._s, None))
        return m

    # Reading

    @property
    def real_time(self) -> bool:
        """Whether seats act whenever they like, under an arbiter (`cardtable.match.real_time`): `tick` then takes the
        place of `play`.
        """
        return self.ruleset.real_time is not None

    @property
    def window(self) -> MoveText | None:
        """The default answer of a silent seat while a window for simultaneous answers is open; None: none is open."""
        window = self.ruleset.window
        return window.silence if window and self.actors and window.is_open(self._s) else None

    @property
    def forced(self) -> tuple[SeatNumber, MoveText] | None:
        """With auto=False: the seat and the move that the rulebook calls forced, for `force` to make; None if a
        choice, or no move, comes next.
        """
        automatic = self._automatic()
        return (automatic[0], self.game.presentation.move_text(self._s, automatic[1])) if automatic else None

    @property
    def title(self) -> str:
        """The name under which the match was opened, or its preset's: `Newmarket`, `Pope Joan`."""
        return self.ruleset.title

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self._result is not None

    @property
    def result(self) -> Result | None:
        """The result of the match, when it is over."""
        return self._result

    @property
    def results(self) -> tuple[DealResult, ...]:
        """The result of each finished deal."""
        return tuple(deal.result for deal in self._deals if deal.result)

    @property
    def deals(self) -> tuple[Deal, ...]:
        """Every deal so far, with its acts."""
        return tuple(self._deals)

    @property
    def deal(self) -> int:
        """The number of the current deal, from 1."""
        return int(self._s.deal_number)

    @property
    def dealer(self) -> SeatNumber:
        """The current deal's dealer."""
        return int(self._s.dealer)

    @property
    def scores_before(self) -> tuple[int, ...]:
        """The scores just after the current deal was dealt, with the antes paid."""
        return self._standing(self._deals[-1].start)[1]

    @property
    def events(self) -> tuple[Event, ...]:
        """The events of the last `play` and of the automatic moves after it."""
        return tuple(self._events)

    @property
    def moves(self) -> tuple[PlayedMove, ...]:
        """Every act so far."""
        return tuple(act for deal in self._deals for act in deal.acts)

    def legal(self, seat: SeatNumber | None = None) -> list[MoveText]:
        """The legal moves of a seat, in notation; empty if it may not act, or if no seat is given and none or several
        may act.

        Raises OptionError if there is no such seat.
        """
        actors = self.actors
        if seat is None:
            if len(actors) != 1:
                return []
            seat = actors[0]
        self._seat(seat)
        return [self.game.presentation.move_text(self._s, code) for code in self._codes(seat)] if seat in actors else []

    def view(self, seat: SeatNumber | None = None) -> View:
        """A seat's view; None: a spectator's."""
        if seat is not None:
            self._seat(seat)
        s = redacted(self._s, seat)
        # redacted: where seats choose at the same time, none knows who has chosen
        actors = () if self._result else self._actors(s)
        codes = self._codes(seat) if seat is not None and seat in actors else ()
        return View(
            self.game,
            self.rules,
            seat,
            s,
            codes,
            actors,
            self.scores,
            tuple(event.seen_by(seat) for event in self._events),
            self.title,
            self._recall(seat) if codes else None,
        )

    def _recall(self, seat: SeatNumber | None) -> Recall | None:
        """The builder of a seat's past, as of now; None if search would not use it."""
        kind = self.game.rules.State
        if seat is None or not self._keeps or not self.game.weighs or not self._deals:
            return None
        return Recall(partial(past_of, kind, seat, self._deals[-1].turns()))

    def actors_seen(self, seat: SeatNumber | None = None) -> tuple[SeatNumber, ...]:
        """The seats that may act now, as far as a seat (None: a spectator) may know: `view(seat).actors`."""
        if self._result:
            return ()
        if seat is not None:
            return self._actors(redacted(self._s, seat))
        if self._acting_seen is None or not self._keeps:
            self._acting_seen = self._actors(redacted(self._s, None))
        return self._acting_seen

    def snapshot(self) -> State:
        """A copy of the whole state, to be compared later with `known`."""
        state: State = self._s.copy()
        return state

    def known(self, seat: SeatNumber | None, state: State | None = None) -> bytes:
        """What a seat (None: a spectator) may know, as bytes for comparison: the redacted state, without the events
        of the last move, and the scores. state: an earlier one of this match; None: the current one.
        """
        return self._known([seat], state)[0]

    def all_known(self, state: State | None = None) -> list[bytes]:
        """What each seat and, last, a spectator may know: `known` for all of them."""
        return self._known([*range(self.seats), None], state)

    def _known(self, seats: Sequence[SeatNumber | None], state: State | None) -> list[bytes]:
        s = self._s if state is None else state
        first, scores = s.dtype.fields["seats"][1], repr(self._standing(state)[1]).encode()
        return [bytes(redacted(s, seat).tobytes()[first:]) + scores for seat in seats]

    def _position_keys(self) -> JsonObject:
        """The keys of everything on the table. Raises PositionError if no deal is being played."""
        if not contract.actors(self._s):
            can = "call view().zones for what lies on the table" + ("" if self._result else ", or next_deal() first")
            raise PositionError("a position now", "the deal is over, and a position is of a deal being played", can)
        keys: JsonObject = {
            "game": self.game.name,
            "rules": self.rules,
            "seats": self.seats,
            "deal": self.deal,
            "dealer": self.dealer,
        }
        keys |= {"title": alias} if (alias := self.ruleset.alias) else {}
        keys |= self.game.presentation.position(self._s)
        if changed := self.ruleset.changed:
            keys["options"] = changed
        return keys

    # Doing

    def play(self, move: MoveText, seat: SeatNumber | None = None) -> None:
        """Play a move, or several in one string. Raises an error and changes nothing if any of them is refused.

        Raises RealTimeError in real time, where `tick` plays a whole moment.
        """
        self._timed(mark("a move outside a tick"), False)
        self.repeat(move, seat)

    def repeat(self, move: MoveText, seat: SeatNumber | None = None) -> None:
        """Play a move of a record: as `play`, but it may also be one seat's part of a moment in real time."""
        actor = self._acting(seat)
        parts = self._parts(_move(move), actor)
        state, deal, deals, events = self._s.copy(), self._deals[-1], len(self._deals), self._events
        count, used = len(deal.acts), deal.used
        self._events = []
        try:
            for i, (part, known) in enumerate(parts):
                if i and self._acting(actor) != actor:
                    raise NotYourTurn(actor, self.actors)
                self._do(actor, self._code(part, actor, known), forced=False)
            self._follow()
        except Exception:
            self._s, self._events, self._result = state, events, None
            del self._deals[deals:]
            deal.acts.cut(count)
            deal.used, deal.result = used, None
            raise

    def tick(self, moves: Sequence[MoveText]) -> None:
        """In real time: play a moment, with a move for each seat.

        Raises an error and changes nothing if any of them is refused.
        """
        self._timed(mark("a moment"), True)
        actors = [self._acting(seat) for seat in self.actors] or [self._acting(None)]
        if isinstance(moves, str) or len(moves) != self.seats:
            why = Message("a moment has a move for each of {seats} seats", seats=self.seats)
            raise NotationError(Message("a moment"), why, Message("name a move for every seat, in their order"))
        codes = [self._code(_move(move), seat) for seat, move in enumerate(moves)]
        self._events = []
        for seat in actors:  # the others have no choice: Match makes their moves of this moment
            self._do(seat, codes[seat], forced=False)
        self._follow()

    def stall(self) -> None:
        """In real time: the arbiter ends the deal, because nothing has happened for too long.

        The result is as if no seat did anything more.
        """
        rules, deal, events = self._timed(mark("to end a deal that stalls"), True), self._deals[-1], list[Event]()
        while deal.result is None:
            self.tick([rules.silence] * self.seats)
            events += self._events
        self._events = events

    def _timed(self, what: str, real_time: bool) -> Any:
        """The game's `RealTime`; None: it is turn-based. Raises RealTimeError unless it matches `real_time`."""
        rules = self.ruleset.real_time
        if real_time != (rules is not None):
            raise refused(Message(what), self.game.timing, rules, self.title)
        return rules

    def force(self) -> None:
        """With auto=False: make the move that is `forced`. Raises MatchOver if there is none."""
        automatic = self._automatic()
        if automatic is None:
            raise MatchOver(
                Message("a forced move"), Message("none is to be made"), Message("let a seat choose"), code="match/deal"
            )
        self._events = []
        self._do(*automatic, forced=True)
        self._follow()

    def why_not(self, move: MoveText, seat: SeatNumber | None = None) -> CardtableError | None:
        """The refusal that `play` would raise for a move, or for one of several in one string; None if it would play
        them.

        An IllegalMove, NotationError, AmbiguousMove, NotYourTurn or MatchOver. Raises OptionError if there is no such
        seat.
        """
        if seat is not None:
            self._seat(seat)
        before, several = self._s, False
        try:
            actor = self._acting(seat)
            parts = self._parts(_move(move), actor)
            several = len(parts) > 1
            if several:
                self._s = before.copy()
            for i, (part, known) in enumerate(parts):
                if i and self._acting(actor) != actor:
                    raise NotYourTurn(actor, self.actors)
                code = self._code(part, actor, known)
                if i < len(parts) - 1:
                    contract.play(self._s, actor, code)
                    self._changed()
        except CardtableError as refusal:
            return refusal.as_value()
        finally:
            if several:
                self._s = before
        return None

    def outlook(self, seat: SeatNumber | None = None) -> Outlook:
        """Whether any useful move is left, from what a seat that may act knows; unknown in most games.

        Raises MatchOver, NotYourTurn.
        """
        actor = self._acting(seat)
        if self.game.outlook is None:
            return Outlook(
                None,
                Message("Not known: {game} does not say whether anything useful is left.", game=Message(self.title)),
            )
        return self.game.outlook(redacted(self._s, actor), actor)

    def next_deal(self, pack: str | None = None, *, reshuffles: Sequence[str] = ()) -> None:
        """Deal the next deal by hand (auto=False, or pause=True), from the seed or from a pack given as text, the top
        card first.

        reshuffles: one text for each reshuffle of the deal, as for `reshuffle`. Raises MatchOver, NotationError,
        PositionError.
        """
        if self._result:
            raise MatchOver(Message("a deal"), Message("the match is over"), Message("start a new match"))
        if not self._deals[-1].result:
            raise MatchOver(
                Message("a deal"),
                Message("deal {deal} is not over", deal=self.deal),
                Message("play it to its end"),
                code="match/deal",
            )
        checked, orders, events = None if pack is None else self._checked(pack), parse_orders(reshuffles), self._events
        self._events = []
        try:
            self._deal(checked, orders)
        except PositionError:
            self._events = events
            raise
        self._follow()

    def reshuffle(self, order: str) -> None:
        """Set the order of the cards after a coming reshuffle of this deal, the first that has no order yet; the top
        card first.

        This is for following a match that is played with real cards; without an order the seed decides. The cards are
        compared at the reshuffle: the move that brings it about is refused if they differ. Raises MatchOver,
        NotationError.
        """
        if self._deals[-1].result:
            raise MatchOver(
                Message("a reshuffle"),
                Message("the deal is over"),
                Message("call it while the deal is played, or name reshuffles in next_deal()"),
                code="match/deal",
            )
        self._deals[-1].orders += parse_orders([order])

    def undo(self, steps: int = 1) -> None:
        """Take back the last `steps` chosen moves, with the automatic moves after each.

        Raises NothingToUndo, RealTimeError.
        """
        self._timed(mark("undo"), False)
        chosen = [(d, i) for d, deal in enumerate(self._deals) for i, act in enumerate(deal.acts) if not act.forced]
        if steps < 1 or len(chosen) < steps:
            why = Message("no chosen move is left to take back") if steps > 0 else Message("there are no such steps")
            raise NothingToUndo(Message("undo"), why, Message("play on"))
        d, i = chosen[-steps]
        del self._deals[d + 1 :]
        deal = self._deals[d]
        self._s, deal.used = deal.start, deal.dealt
        for act in deal.acts[:i]:
            self._step(act.seat, act.code)
        deal.acts.cut(i)
        deal.result = self._result = None
        self._events = []

    def resign(self, seat: SeatNumber) -> None:
        """A seat gives up the match: it is over, and the best of the others win."""
        if self._result:
            raise MatchOver(Message("resigning"), Message("the match is over"), Message("start a new match"))
        self._seat(seat)
        scores = self.scores
        self._result = Result(scores, self._best(p for p in range(self.seats) if p != seat), len(self.results), seat)
        self._events = []


def _move(move: object) -> MoveText:
    """A move given as text. Raises NotationError."""
    if not isinstance(move, str):
        raise NotationError(
            Message("{move}", move=repr(move)), Message("a move is text"), Message("write for instance '7H'")
        )
    return move
