"""Match: what a person programs against. It checks, explains, makes forced moves and remembers everything."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from cardtable import catalog, contract
from cardtable.cards import card_text
from cardtable.deals import Act, Deal, DealResult, Result
from cardtable.errors import (
    AmbiguousMove,
    CardtableError,
    IllegalMove,
    MatchOver,
    NotationError,
    NothingToUndo,
    NotYourTurn,
    OptionError,
    PositionError,
    no_seat,
)
from cardtable.events import Event
from cardtable.game import Choosy, Game, Outlook
from cardtable.kernel import following, prng
from cardtable.message import Message
from cardtable.options import Options
from cardtable.position import Position
from cardtable.script import Script, parse_cuts, parse_orders, parse_pack
from cardtable.timing import refused
from cardtable.types import Json, JsonObject, MoveCode, MoveText, OptionValue, SeatNumber, Seed
from cardtable.view import View

if TYPE_CHECKING:
    from cardtable.contract import State
    from cardtable.record import Record

MAX_PACK = 112


class Match:
    """A series of deals. See docs/api.md §1."""

    def __init__(self, game: str | Game, seats: int | None = None, rules: str | None = None, seed: Seed | None = None,
                 *, dealer: SeatNumber | None = None, cuts: Sequence[str] = (), auto: bool = True, pause: bool = False, **options: OptionValue) -> None:  # fmt: skip
        self._prepare(game, seats, rules, seed, auto, pause, options)
        self._open(dealer, cuts)
        self._deal(None)
        self._follow()

    def _prepare(
        self, game: str | Game, seats: int | None, rules: str | None, seed: Seed | None, auto: bool, pause: bool, options: Mapping[str, OptionValue]
    ) -> None:
        """Check the options and set an empty table up."""
        self.variant = catalog.variant(game, rules)
        self.game = self.variant.game
        self.options: Options
        self.rules, self.seats, self.options = self.game.options.make(self.variant.preset, seats, options)
        self.seed = str(secrets.randbits(63) if seed is None else seed).strip()
        if not self.seed or len(self.seed) > 200:
            raise NotationError(
                Message("seed {seed}", seed=repr(self.seed[:40])), Message("a seed is a number or a word of at most 200 letters"), Message("give one")
            )
        self._auto = auto
        self.pause = pause  #: wait for `next_deal` when a deal is over
        self._s = self._new_state()
        self._moves = np.zeros(self.game.rules.MAX_MOVES + 1, np.int64)
        self._deals: list[Deal] = []
        self._events: list[Event] = []
        self._result: Result | None = None
        self._opening: tuple[Event, ...] = ()
        self._opened: tuple[int, ...] = ()  #: the scores before the first deal
        self._position: Position | None = None

    def _new_state(self) -> Any:
        s = self.game.new_state(self.options, self.seats)
        s.seed[:] = prng.key_of(self.seed)
        s.record_events = 1
        return s

    @classmethod
    def from_pack(cls, pack: str, game: str | Game, seats: int | None = None, rules: str | None = None, *, seed: Seed | None = None,
                  dealer: SeatNumber | None = None, cuts: Sequence[str] = (), reshuffles: Sequence[str] = (), auto: bool = True, pause: bool = False,
                  **options: OptionValue) -> Self:  # fmt: skip
        """A match whose first deal is dealt from `pack`, all its cards as text, the top card first.

        The default dealer is the last seat, so that seat 0 is eldest, unless cards were cut for it (`cuts`). Raises
        PositionError if the pack is not whole, or cannot be dealt as it lies.
        """
        m = cls.__new__(cls)
        m._prepare(game, seats, rules, seed, auto, pause, options)
        m._open(m.seats - 1 if dealer is None and not cuts else dealer, cuts)
        m._deal(m._checked(pack), parse_orders(reshuffles))
        m._follow()
        return m

    @classmethod
    def from_position(cls, position: str | Mapping[str, Json] | Position, *, seed: Seed | None = None, auto: bool = True, pause: bool = False) -> Self:
        """A match in mid-deal from a position (docs/api.md §4). Nothing moves until the first `play`. Raises PositionError."""
        parsed = Position.parse(position)
        keys = parsed.as_dict()
        m = cls.__new__(cls)
        name, options, title = keys.pop("game", None), keys.pop("options", {}), keys.pop("title", None)
        if not isinstance(name, str) or not isinstance(options, Mapping):
            raise PositionError(
                Message("this position"),
                Message("it does not say which game it is of") if not isinstance(name, str) else Message("its options are no table"),
                Message('write game = "fan-tan"'),
                code="position/syntax",
            )
        hands = keys.get("hands")
        seats = keys.pop("seats", len(hands) if isinstance(hands, (list, tuple)) else None)
        preset = keys.pop("rules", None)
        opened = catalog.known_as(name, title)
        m._prepare(opened, seats, str(preset) if preset is not None else None, seed, auto, pause, options)
        m._place(keys)
        m._opened = m._standing()[1]
        m._position = m.position()
        m._deals.append(Deal(m._s.copy(), None))
        return m

    @classmethod
    def from_record(cls, record: Record | str | Mapping[str, Json], *, check: bool = True) -> Match:
        """The match that a record tells, at its end. Raises RecordError.

        check: also compare what the record says came of it (`Record.replay`).
        """
        from cardtable.record import Record

        return Record.parse(record).replay(check=check)

    # The table

    def _open(self, dealer: SeatNumber | None, cuts: Sequence[str] = ()) -> None:
        named_cuts = parse_cuts(cuts)
        if named_cuts and dealer is not None:
            what, why = Message("dealer={dealer} and cuts", dealer=str(dealer)), Message("whoever cut the right card deals")
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
        self._opened = self._standing()[1]
        self._opening = tuple(self.game.events_of(self._s))
        self._events = list(self._opening)

    def _cut(self, cuts: list[tuple[SeatNumber, int]]) -> None:
        """Open the match with these cards cut for the first dealer. Raises PositionError if they are not what the rules ask for."""
        for seat, _ in cuts:
            self._seat(seat)
        with following(Script(cuts=cuts)):
            contract.open_match(self._s)
        told = [(event.source, event.card) for event in self.game.events_of(self._s) if event.kind == "cut"]
        if not told:
            why = Message("in {title} with these house rules nobody cuts for the deal", title=self.game.title)
            raise PositionError(Message("cuts"), why, Message("name the first dealer instead, with dealer="))
        if told != [(seat, card_text(card)) for seat, card in cuts]:
            order = ", ".join(f"seat {seat}" for seat, _ in told)
            why = Message("the cuts do not follow the rules, by which these cut, in this order: {order}", order=order)
            raise PositionError(Message("cuts"), why, Message("name a card for each of them; only those who tie cut again"))

    def _deal(self, pack: list[int] | None, orders: list[list[int]] | None = None) -> None:
        """Deal, from the seed or from a checked pack. Raises PositionError, and changes nothing, if the orders are not of the cards shuffled."""
        s, cards, script = self._s.copy(), np.zeros(MAX_PACK, np.int64), Script(orders=orders or [])
        if pack is None:
            contract.next_deal(s, cards)
        else:
            prng.derive(s.rng, s.seed, int(s.deal_number) + 1, prng.DEAL)
            cards[: len(pack)] = pack
            with following(script) if orders else nullcontext():
                contract.deal(s, cards)
        self._s = s
        self._deals.append(Deal(s.copy(), pack, orders=orders or [], dealt=script.used, used=script.used))
        self._events += self.game.events_of(s)

    def _checked(self, text: str) -> list[int]:
        """The cards of a whole pack, given as text. Raises NotationError, PositionError."""
        cards = np.zeros(MAX_PACK, np.int64)
        n = contract.pack(self._s, cards)
        pack = parse_pack(text, [int(card) for card in cards[:n]])
        if hasattr(self.game.presentation, "why_not_pack"):
            wrong, can = cast(Choosy, self.game.presentation).why_not_pack(self._s, pack)
            if wrong:
                raise PositionError(Message("this pack"), wrong, can)
        return pack

    def _place(self, keys: JsonObject) -> None:
        from cardtable import position_setup

        s, keys = self._s, position_setup.plain(keys)
        s.direction, s.winner, s.in_play = 1, -1, (1 << self.seats) - 1
        s.deal_number = position_setup.number(keys, "deal", 1, 10**6, 1)
        s.dealer = position_setup.seat(keys, "dealer", self.seats, self.seats - 1)
        prng.derive(s.rng, s.seed, int(s.deal_number), prng.DEAL)

        def shuffle(cards: list[int]) -> None:
            row = np.array(cards, np.int64)
            prng.shuffle(s.rng, row, len(cards))
            cards[:] = [int(card) for card in row]

        self.game.presentation.set_position(s, keys, shuffle)
        if keys:
            raise position_setup.no_such_key(next(iter(keys)), self.game.title, self.game.options.kinds())

    def _codes(self, seat: SeatNumber) -> list[MoveCode]:
        n = contract.legal(self._s, seat, self._moves)
        return [int(move) for move in self._moves[:n]]

    def _do(self, seat: SeatNumber, code: MoveCode, forced: bool) -> None:
        deal = self._deals[-1]
        act = Act(int(self._s.deal_number), len(deal.acts) + 1, seat, self.game.presentation.move_text(self._s, code), forced, code)
        self._step(seat, code)
        deal.acts.append(act)
        self._events += self.game.events_of(self._s)

    def _step(self, seat: SeatNumber, code: MoveCode) -> None:
        """Play a move; what is shuffled comes as the deal's orders say, as far as they go. Raises PositionError if it cannot."""
        deal = self._deals[-1]
        if deal.used == len(deal.orders):
            contract.play(self._s, seat, code)
            return
        script = Script(orders=deal.orders[deal.used :])
        with following(script):
            contract.play(self._s, seat, code)
        deal.used += script.used

    def _finish(self) -> None:
        """Note the results if the deal is over."""
        deal = self._deals[-1]
        if deal.result is None and not contract.actors(self._s):
            out = np.zeros(contract.MAX_SEATS)
            contract.payoff(self._s, out)
            winner = int(self._s.winner)
            over, scores = self._standing()
            last = self._deals[-2].result if len(self._deals) > 1 else None
            gained = tuple(now - before for now, before in zip(scores, last.scores if last else self._opened, strict=True))
            payoff = tuple(int(x) for x in out[: self.seats])
            deal.result = DealResult(int(self._s.deal_number), None if winner < 0 else winner, payoff, gained, scores)
            if over:
                named = tuple(p for p in range(self.seats) if over >> 1 >> p & 1)
                self._result = Result(scores, named if over >> 1 else self._best(range(self.seats)), int(self._s.deal_number))

    def _best(self, seats: Iterable[SeatNumber]) -> tuple[SeatNumber, ...]:
        """Those of the seats whose scores are best."""
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
            if (found := self._automatic()) is None:
                return
            self._do(*found, forced=True)

    def _automatic(self) -> tuple[SeatNumber, MoveCode] | None:
        """The next move that the rulebook calls forced, and its seat."""
        for seat in self.actors:
            codes = self._codes(seat)
            if len(codes) == 1 and self.game.presentation.automatic(self._s, seat, codes[0]):
                return seat, codes[0]
        return None

    # Reading

    @property
    def real_time(self) -> bool:
        """Whether seats act whenever they like, before an arbiter (`cardtable.realtime`): `tick` then takes the place of `play`."""
        return self.game.real_time(self.options) is not None

    @property
    def window(self) -> MoveText | None:
        """While a window is open, in which several seats answer at the same time: the answer of a seat that says nothing. None: none is open."""
        window = self.game.window(self.options)
        return window.silence if window and self.actors and window.is_open(self._s) else None

    @property
    def forced(self) -> tuple[SeatNumber, MoveText] | None:
        """With auto=False: the seat and the move that the rulebook calls forced, for `force` to make; None if a choice, or nothing, comes next."""
        found = self._automatic()
        return (found[0], self.game.presentation.move_text(self._s, found[1])) if found else None

    @property
    def title(self) -> str:
        """What is played, by the name under which it was opened, or by its preset's: `Newmarket`, `Pope Joan`."""
        return self.variant.title

    @property
    def actors(self) -> tuple[SeatNumber, ...]:
        """The seats that may act now; empty when the deal or the match is over."""
        return self._actors(self._s)

    def _actors(self, s: State) -> tuple[SeatNumber, ...]:
        mask = 0 if self._result else int(contract.actors(s))
        return tuple(seat for seat in range(self.seats) if mask >> seat & 1)

    @property
    def over(self) -> bool:
        """The match is over."""
        return self._result is not None

    @property
    def result(self) -> Result | None:
        """What the match came to, when it is over."""
        return self._result

    @property
    def results(self) -> tuple[DealResult, ...]:
        """What each finished deal came to."""
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

    def _standing(self) -> tuple[int, tuple[int, ...]]:
        out = np.zeros(contract.MAX_SEATS, np.int64)
        over = int(contract.standing(self._s, out))
        return over, tuple(int(x) for x in out[: self.seats])

    @property
    def scores(self) -> tuple[int, ...]:
        """Chips of each seat now, or deals won in a match without chips."""
        return self._standing()[1]

    @property
    def scores_before(self) -> tuple[int, ...]:
        """The scores when the current deal had been dealt: antes are paid already."""
        out = np.zeros(contract.MAX_SEATS, np.int64)
        contract.standing(self._deals[-1].start.copy(), out)
        return tuple(int(x) for x in out[: self.seats])

    @property
    def events(self) -> tuple[Event, ...]:
        """What the last `play`, and the automatic moves after it, brought about."""
        return tuple(self._events)

    @property
    def moves(self) -> tuple[Act, ...]:
        """Every act so far."""
        return tuple(act for deal in self._deals for act in deal.acts)

    def legal(self, seat: SeatNumber | None = None) -> list[MoveText]:
        """The legal moves of a seat, in notation; empty if it may not act, or if none is named and not just one may act.

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
        """What a seat may know; None: a spectator."""
        if seat is not None:
            self._seat(seat)
        s = self._s.copy()
        contract.redact(s, -1 if seat is None else seat)
        actors = self._actors(s)  # of choices made at the same time a seat does not know who has made theirs
        codes = tuple(self._codes(seat)) if seat is not None and seat in actors else ()
        return View(self.game, self.rules, seat, s, codes, actors, self.scores, tuple(event.seen_by(seat) for event in self._events), self.title)

    def position(self) -> Position:
        """Everything on the table. Raises PositionError if no deal is being played."""
        if not contract.actors(self._s):
            can = "call view().zones for what lies on the table" + ("" if self._result else ", or next_deal() first")
            raise PositionError(Message("a position now"), Message("the deal is over, and a position is of a deal being played"), can)
        keys: JsonObject = {"game": self.game.name, "rules": self.rules, "seats": self.seats, "deal": self.deal, "dealer": self.dealer}
        keys |= {"title": self.variant.alias} if self.variant.alias else {}
        keys |= self.game.presentation.position(self._s)
        if changed := self.options.changed(self.rules, self.seats):
            keys["options"] = changed
        return Position(keys)

    def record(self) -> Record:
        """The match as a record."""
        from cardtable.record import Record

        return Record.of(self)

    # Doing

    def _seat(self, seat: SeatNumber) -> None:
        if isinstance(seat, bool) or not isinstance(seat, (int, np.integer)) or not 0 <= seat < self.seats:
            raise no_seat(Message("seat {seat}", seat=repr(seat)), self.seats)

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

    def _code(self, text: str, seat: SeatNumber) -> MoveCode:
        """The legal move that text names. Raises NotationError, AmbiguousMove, IllegalMove."""
        words = self.game.presentation
        code = words.parse_move(self._s, text)
        legal = self._codes(seat)
        if code not in legal:
            reason, rule = words.why_not(self._s, seat, code)
            wanted = words.choices(self._s, seat, [code])[0]
            raise IllegalMove(seat, wanted.text, reason, rule, [words.move_text(self._s, move) for move in legal], wanted.verb)
        return code

    def _parts(self, text: str, seat: SeatNumber) -> list[str]:
        """The moves that text names one after another. Raises NotationError, AmbiguousMove."""
        words = self.game.presentation
        try:
            words.parse_move(self._s, text)
        except NotationError as whole:
            parts = text.replace(",", " ").split()
            if len(parts) < 2:
                raise
            for part in parts:  # what is no move at all is told before whose turn it would be
                try:
                    words.parse_move(self._s, part)
                except AmbiguousMove:
                    continue
                except NotationError:
                    if any(" " in words.move_text(self._s, code) for code in self._codes(seat)):
                        raise whole from None  # here a move is of several words
                    raise
            return parts
        return [text]

    def play(self, move: MoveText, seat: SeatNumber | None = None) -> None:
        """Play a move, or several in one string. Raises an error and changes nothing if any of them is refused.

        In real time one seat's move is none: there `tick` makes a whole moment, and this raises RealTimeError.
        """
        self._timed(Message("a move by itself"), False)
        self.repeat(move, seat)

    def repeat(self, move: MoveText, seat: SeatNumber | None = None) -> None:
        """Play a move that a record tells; as `play`, but also one seat's part of a moment in real time."""
        actor = self._acting(seat)
        parts = self._parts(_move(move), actor)
        state, deal, deals, events = self._s.copy(), self._deals[-1], len(self._deals), self._events
        count, used = len(deal.acts), deal.used
        self._events = []
        try:
            for part in parts:
                if self._acting(actor) != actor:
                    raise NotYourTurn(actor, self.actors)
                self._do(actor, self._code(part, actor), forced=False)
            self._follow()
        except Exception:
            self._s, self._events, self._result = state, events, None
            del self._deals[deals:], deal.acts[count:]
            deal.used, deal.result = used, None
            raise

    def tick(self, moves: Sequence[MoveText]) -> None:
        """In real time: a moment, with a move for each seat. Raises an error and changes nothing if any of them is refused."""
        self._timed(Message("a moment"), True)
        actors = [self._acting(seat) for seat in self.actors] or [self._acting(None)]
        if isinstance(moves, str) or len(moves) != self.seats:
            why = Message("a moment has a move for each of {seats} seats", seats=self.seats)
            raise NotationError(Message("a moment"), why, Message("name a move for every seat, in their order"))
        codes = [self._code(_move(move), seat) for seat, move in enumerate(moves)]
        self._events = []
        for seat in actors:  # the others have no choice, and Match made it: those moves are part of this moment
            self._do(seat, codes[seat], forced=False)
        self._follow()

    def stall(self) -> None:
        """In real time: the arbiter ends the deal, because nothing has happened for too long. It is over as if nobody did anything more."""
        rules, deal, events = self._timed(Message("to end a deal that stalls"), True), self._deals[-1], list[Event]()
        while deal.result is None:
            self.tick([rules.silence] * self.seats)
            events += self._events
        self._events = events

    def _timed(self, what: Message, real_time: bool) -> Any:
        """The game's `RealTime`, if it is played so. Raises RealTimeError unless the match is in real time, or unless it is not."""
        rules = self.game.real_time(self.options)
        if real_time != (rules is not None):
            raise refused(what, self.game.timing, rules, self.title)
        return rules

    def force(self) -> None:
        """With auto=False: make the move that is `forced`. Raises MatchOver if none is."""
        found = self._automatic()
        if found is None:
            raise MatchOver(Message("a forced move"), Message("none is to be made"), Message("let a seat choose"), code="match/deal")
        self._events = []
        self._do(*found, forced=True)
        self._follow()

    def why_not(self, move: MoveText, seat: SeatNumber | None = None) -> CardtableError | None:
        """The refusal that `play` would raise for a move, or for one of several in one string; None if it would play them.

        An IllegalMove, NotationError, AmbiguousMove, NotYourTurn or MatchOver. Raises OptionError if there is no such seat.
        """
        if seat is not None:
            self._seat(seat)
        before = self._s
        try:
            actor = self._acting(seat)
            parts = self._parts(_move(move), actor)
            if len(parts) > 1:
                self._s = before.copy()
            for i, part in enumerate(parts):
                if i and self._acting(actor) != actor:
                    raise NotYourTurn(actor, self.actors)
                code = self._code(part, actor)
                if i < len(parts) - 1:
                    contract.play(self._s, actor, code)
        except CardtableError as refusal:
            return refusal
        finally:
            self._s = before
        return None

    def outlook(self, seat: SeatNumber | None = None) -> Outlook:
        """Whether anything useful is left to do, from what a seat that may act knows; not known in games that do not tell.

        Raises MatchOver, NotYourTurn.
        """
        actor = self._acting(seat)
        if self.game.outlook is None:
            return Outlook(None, Message("Not known: {game} does not tell whether anything useful is left.", game=Message(self.title)))
        s = self._s.copy()
        contract.redact(s, actor)
        return self.game.outlook(s, actor)

    def next_deal(self, pack: str | None = None, *, reshuffles: Sequence[str] = ()) -> None:
        """Deal the next deal by hand (auto=False, or pause=True), from the seed or from a pack given as text, the top card first.

        reshuffles: as `reshuffle`, one text for each reshuffle of the deal. Raises MatchOver, NotationError, PositionError.
        """
        if self._result:
            raise MatchOver(Message("a deal"), Message("the match is over"), Message("start a new match"))
        if not self._deals[-1].result:
            raise MatchOver(Message("a deal"), Message("deal {deal} is not over", deal=self.deal), Message("play it to its end"), code="match/deal")
        checked, orders, events = None if pack is None else self._checked(pack), parse_orders(reshuffles), self._events
        self._events = []
        try:
            self._deal(checked, orders)
        except PositionError:
            self._events = events
            raise
        self._follow()

    def reshuffle(self, order: str) -> None:
        """Say in which order the cards lie after the next reshuffle of this deal that nothing was said of, the top card first.

        For following a match that is played with real cards; where nothing is said the seed decides. The cards are compared when
        the reshuffle comes: the move that brings it about is refused if they are others. Raises MatchOver, NotationError.
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
        """Take back the last `steps` chosen moves, with the automatic moves after each. Raises NothingToUndo, RealTimeError."""
        self._timed(Message("undo"), False)
        chosen = [(d, i) for d, deal in enumerate(self._deals) for i, act in enumerate(deal.acts) if not act.forced]
        if steps < 1 or len(chosen) < steps:
            why = Message("no chosen move is left to take back") if steps > 0 else Message("there are no such steps")
            raise NothingToUndo(Message("undo"), why, Message("play on"))
        d, i = chosen[-steps]
        del self._deals[d + 1 :]
        deal = self._deals[d]
        self._s, deal.used = deal.start.copy(), deal.dealt
        for act in deal.acts[:i]:
            self._step(act.seat, act.code)
        del deal.acts[i:]
        deal.result = self._result = None
        self._events = []

    def resign(self, seat: SeatNumber) -> None:
        """A seat gives the match up: it is over, and the best of the others wins."""
        if self._result:
            raise MatchOver(Message("resigning"), Message("the match is over"), Message("start a new match"))
        self._seat(seat)
        scores = self.scores
        self._result = Result(scores, self._best(p for p in range(self.seats) if p != seat), len(self.results), seat)
        self._events = []

    def __repr__(self) -> str:
        return f"<Match {self.game.name} {self.rules}, {self.seats} seats, seed {self.seed}, deal {self.deal}>"


def _move(move: object) -> MoveText:
    """A move given as text. Raises NotationError."""
    if not isinstance(move, str):
        raise NotationError(Message("{move}", move=repr(move)), Message("a move is text"), Message("write for instance '7H'"))
    return move
