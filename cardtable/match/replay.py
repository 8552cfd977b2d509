"""Playing a match again from its record: each move and result is checked (docs/api.md §5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Self

from cardtable.base.errors import CardtableError, IllegalMove, MatchOver, NotYourTurn, RecordError, Text
from cardtable.base.message import Message, Seat
from cardtable.base.types import Json, JsonObject, RuleID, SeatNumber
from cardtable.match.playing import Playing
from cardtable.match.record import FORMAT, split_act, value_of
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset

MEND = Message("mend the record")
WHOLE = Message("get the whole file, or mark it unfinished = true")
OTHER_VERSION = Message("use the Cardtable that wrote it")


@dataclass(frozen=True)
class RecordedMatch:
    """A record's data about a match, and whether its results are checked."""

    keys: Mapping[str, Json]
    check: bool

    @property
    def result(self) -> Mapping[str, Json]:
        """The result; empty if the record has none."""
        result = self.keys.get("result", {})
        return result if isinstance(result, Mapping) else {}

    @property
    def unfinished(self) -> bool:
        """Whether the record is marked as that of an unfinished match."""
        return self.keys.get("unfinished") is True


class Replaying(Playing):
    """The methods of a match for records: it is replayed from one."""

    @classmethod
    def _replayed(
        cls,
        keys: Mapping[str, Json],
        *,
        check: bool = True,
        repeat: Callable[[Self, list[Json]], None] | None = None,
    ) -> Self:
        """The match of a record, at its end. Raises RecordError with deal, move number and rule.

        check: also check the version of the rules, the winners, payoffs and the result, and whether the record is
        marked unfinished. repeat: what plays the moves of a deal, as they are written; None: one by one.
        """
        recorded = RecordedMatch(keys, check)
        deals = _deals(recorded)
        m = cls._reopened(recorded, deals[0])
        for i, deal in enumerate(deals):
            if i:
                m._next_deal_of(deal)
            m._repeat_deal(recorded, deal, repeat or cls._repeat_moves, last=i == len(deals) - 1)
        m._end_as_recorded(recorded)
        m._auto = True
        return m

    def _go_on(self, auto: bool) -> None:
        """Continue after a replay: make automatic moves (auto), and wait after each deal."""
        self.pause, self._auto = True, auto
        self._follow()

    @classmethod
    def _reopened(cls, recorded: RecordedMatch, first: Mapping[str, Json]) -> Self:
        """The match as it was opened, with its first deal dealt. Raises RecordError."""
        keys = recorded.keys
        title = keys.get("title")
        try:
            rules, house = value_of(keys, "rules", str), value_of({"options": {}, **keys}, "options", dict)
            kinds = catalog.find(keys["game"]).options
            options = kinds.as_of(keys["version"], rules, house)
            seats = value_of(keys, "seats", int)
            # Only house rules, not the other parameters of a match; and a preset by its own name only.
            kinds.make(rules, seats, options)
            if "position" in keys:
                position = {"game": keys["game"], "rules": rules, "seats": seats, "options": options}
                position |= {"title": title} if title else {}
                m = cls.from_position(
                    position | value_of(keys, "position", dict), seed=value_of(keys, "seed", str), auto=False
                )
                for order in _reshuffles(first):
                    m.reshuffle(order)
                return m
            seed = value_of(keys, "seed", str)
            ruleset = Ruleset.parse(catalog.known_as(keys["game"], title), rules, seats, options)
            dealer = value_of(keys, "dealer", int)
            cuts = value_of(keys, "cuts", list) if "cuts" in keys else []
            opened: JsonObject = {"cuts": cuts} if cuts else {"dealer": dealer}
            if "pack" in first:
                opened |= {"pack": value_of(first, "pack", str, 1), "reshuffles": _reshuffles(first)}
                return cls.__new__(cls)._begin(ruleset, seed, **opened, auto=False)._dealt_by(dealer)
            m = cls.__new__(cls)._begin(ruleset, seed, auto=False)
            if m.dealer != dealer or m._cuts() != cuts:
                m = cls.__new__(cls)._begin(ruleset, seed, **opened, auto=False)
            for order in _reshuffles(first):
                m.reshuffle(order)
            return m._dealt_by(dealer)
        except RecordError:
            raise
        except CardtableError as error:
            raise RecordError(Message("the record cannot be opened"), error.message, Message("mend it")) from None

    def _cuts(self) -> list[str]:
        """The cards cut for the first dealer, in order: seat and card."""
        return [f"{event.source} {event.card}" for event in self._opening if event.kind == "cut"]

    def _dealt_by(self, dealer: SeatNumber) -> Self:
        """The match, if this seat is its first dealer. Raises RecordError."""
        first = self.deals[0].start.dealer
        if first != dealer:
            what, why = (
                Message("dealer = {dealer}", dealer=dealer),
                Message("by the cards cut it is {dealer}", dealer=first),
            )
            raise RecordError(what, why, MEND, code="record/illegal", deal=1)
        return self

    def _wrong(
        self, what: Message, why: Text, can: Message = MEND, *, code: str = "", number: int = 0, rule: RuleID = ""
    ) -> RecordError:
        """The error for something in the record of this deal."""
        return RecordError(what, why, can, code=code, deal=self.deal, number=number, rule=rule)

    def _next_deal_of(self, deal: Mapping[str, Json]) -> None:
        """Deal the next deal as it is recorded. Raises RecordError."""
        try:
            pack = value_of(deal, "pack", str, self.deal + 1) if deal.get("pack") is not None else None
            self.next_deal(pack, reshuffles=_reshuffles(deal))
        except RecordError:
            raise
        except CardtableError as error:
            what, rule = Message("deal {value} of the record", value=self.deal + 1), self.game.presentation.END_RULE
            raise RecordError(what, error.message, MEND, code="record/illegal", deal=self.deal + 1, rule=rule) from None

    def _repeat_deal(
        self, recorded: RecordedMatch, deal: Mapping[str, Json], repeat: Callable[[Self, list[Json]], None], last: bool
    ) -> None:
        """Play a deal as recorded, and compare its result. Raises RecordError."""
        if value_of(deal, "deal", int, self.deal) != self.deal:
            what, why = (
                Message("deal {deal} of the record", deal=deal["deal"]),
                Message("deal {deal} comes here", deal=self.deal),
            )
            raise self._wrong(what, why, Message("keep the deals in order"))
        moves = value_of(deal, "moves", list, self.deal)
        repeat(self, moves)
        where = f"deal {self.deal}, after move {len(moves)}"
        rule = self.game.presentation.END_RULE
        result = self._deals[-1].result
        if result is None:
            if last and (recorded.unfinished or "resigned" in recorded.result or not recorded.check):
                return
            what, next_seat = Message("{where}: the record is cut off", where=where), Seat(int(self.actors[0]))
            why = Message("the deal is not over: {seat} {seat:is|are} to act ({rule})", seat=next_seat, rule=rule)
            raise self._wrong(what, why, WHOLE, code="record/truncated", number=len(moves) + 1, rule=rule)
        if not recorded.check:
            return
        for name, true in (("winner", result.winner), ("payoff", list(result.payoff))):
            if (value := deal.get(name, true)) != true:
                what = Message("{where}: {name} = {told}", where=where, name=name, told=str(value))
                why = Message("by the rules it is {true} ({rule})", true=str(true), rule=rule)
                raise self._wrong(what, why, code="record/result", number=len(moves), rule=rule)

    def _repeat_moves(self, moves: list[Json]) -> None:
        """Play the moves of a deal as they are written. Raises RecordError."""
        for number, text in enumerate(moves, 1):
            self._repeat_move(number, text)

    def _repeat_move(self, number: int, text: Json) -> None:
        where = f"deal {self.deal}, move {number}"
        rule = self.game.presentation.END_RULE
        seat, move = split_act(text, self.deal, number)
        try:
            actor = self._acting(seat)
            code = self._code(move, actor)
        except IllegalMove as error:
            raise RecordError(
                Message("{where}: {error}", where=where, error=error.message),
                code="record/illegal",
                deal=self.deal,
                number=number,
                rule=error.rule,
            ) from None
        except (NotYourTurn, MatchOver) as error:
            over = not self.actors
            why = Message("the deal was over before it ({rule})", rule=rule) if over else error.message
            rule = rule if over else self.game.presentation.TURN_RULE
            what = Message("{where}: {text}", where=where, text=text)
            raise self._wrong(what, why, code="record/illegal", number=number, rule=rule) from None
        except CardtableError as error:
            raise self._wrong(
                Message("{where}: {text}", where=where, text=text), error.message, number=number
            ) from None
        legal = self._codes(actor)
        self._events = []
        self._do(actor, code, forced=len(legal) == 1 and self.game.presentation.automatic(self._s, actor, code))
        self._finish()

    def _end_as_recorded(self, recorded: RecordedMatch) -> None:
        """End the match as recorded, and compare its result. Raises RecordError."""
        rule = self.game.presentation.END_RULE
        if "resigned" in recorded.result and not self.over:
            self.resign(value_of(recorded.result, "resigned", int))
        if not recorded.check:
            return
        if not self.over and not recorded.unfinished:
            what = Message("after deal {deal}: the record is cut off", deal=self.deal)
            why = Message("the match is not over ({rule})", rule=rule)
            raise self._wrong(what, why, WHOLE, code="record/truncated", rule=rule)
        if self.result:
            for name, true in (("scores", list(self.result.scores)), ("winners", list(self.result.winners))):
                if (value := recorded.result.get(name, true)) != true:
                    what = Message("result: {name} = {value}", name=name, value=value)
                    why = Message("by the rules it is {true} ({rule})", true=str(true), rule=rule)
                    raise self._wrong(what, why, code="record/result", rule=rule)


def _deals(recorded: RecordedMatch) -> list[Mapping[str, Json]]:
    """The deals of a record whose format and rules are current. Raises RecordError, UnknownGame."""
    keys = recorded.keys
    if value_of(keys, "cardtable", int) != FORMAT:
        why = Message("its format is {keys}; this is format {format}", keys=keys["cardtable"], format=FORMAT)
        raise RecordError(Message("the record"), why, OTHER_VERSION, code="record/version")
    game = catalog.find(value_of(keys, "game", str))
    if "title" in keys:
        value_of(keys, "title", str)
    if value_of(keys, "version", int) not in (game.version, *game.options.former) and recorded.check:
        why = Message(
            "it was played by version {keys} of the rules of {title}; these are version {version}",
            keys=keys["version"],
            title=game.title,
            version=game.version,
        )
        raise RecordError(Message("the record"), why, OTHER_VERSION, code="record/version")
    deals = value_of(keys, "deals", list)
    if not deals or not all(isinstance(deal, Mapping) for deal in deals):
        raise RecordError(Message("the record"), Message("it has no deals"), Message("write a [[deals]] for each"))
    return list(deals)


def _reshuffles(deal: Mapping[str, Json]) -> list[str]:
    return list(value_of(deal, "reshuffles", list)) if "reshuffles" in deal else []
