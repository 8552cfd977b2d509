"""The record of a match: a small TOML file, replayed and checked move by move (docs/api.md §5)."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cardtable.base import platform, toml
from cardtable.base.cards import card_text
from cardtable.base.errors import (
    CardtableError,
    IllegalMove,
    MatchOver,
    NotYourTurn,
    RecordError,
    no_such_deal,
    no_such_move,
)
from cardtable.base.files import replacing
from cardtable.base.message import Message, Seat
from cardtable.base.names import no_text
from cardtable.base.types import Json, JsonObject, MoveText, SeatNumber
from cardtable.rules import catalog

if TYPE_CHECKING:
    from cardtable.match.match import Match

FORMAT = 1


@dataclass(frozen=True)
class Record:
    """A match as data: `keys` are those of the file."""

    keys: Mapping[str, Json]

    @classmethod
    def of(cls, m: Match) -> Record:
        """The record of a match as it is now."""
        keys: JsonObject = {"cardtable": FORMAT, "game": m.game.name, "version": m.game.version, "rules": m.rules}
        keys |= {"title": m.variant.alias} if m.variant.alias else {}
        keys |= {"seats": m.seats, "seed": m.seed}
        if m._position is None:
            keys["dealer"] = int(m._deals[0].start.dealer)
            if cuts := _cuts(m):
                keys["cuts"] = cuts
        if not m.over:
            keys["unfinished"] = True
        if changed := m.options.changed(m.rules, m.seats):
            keys["options"] = changed
        if m._position is not None:
            keys["position"] = {
                k: v for k, v in m._position.keys.items() if k not in ("game", "rules", "title", "seats", "options")
            }
        deals: list[JsonObject] = []
        for deal in m._deals:
            table: JsonObject = {"deal": deal.number}
            if deal.pack is not None:
                table["pack"] = " ".join(card_text(card) for card in deal.pack)
            if deal.orders:
                table["reshuffles"] = [" ".join(card_text(card) for card in order) for order in deal.orders]
            table["moves"] = [f"{act.seat} {act.move}" for act in deal.acts]
            if deal.result:
                table |= ({} if deal.result.winner is None else {"winner": deal.result.winner}) | {
                    "payoff": list(deal.result.payoff)
                }
            deals.append(table)
        keys["deals"] = deals
        if m.result:
            keys["result"] = {"scores": list(m.result.scores), "winners": list(m.result.winners)} | (
                {} if m.result.resigned is None else {"resigned": m.result.resigned}
            )
        return cls(keys)

    @classmethod
    def parse(cls, given: Record | str | Mapping[str, Json]) -> Record:
        """A record from its text or dict. Raises RecordError (`record/syntax`, `record/truncated`)."""
        if isinstance(given, Record):
            return given
        if isinstance(given, Mapping):
            return cls(given)
        if not isinstance(given, str):
            raise RecordError(
                Message("a record given as {kind}", kind=type(given).__name__),
                Message("a record is text or a dict"),
                Message("read its file with Record.load"),
            )
        try:
            return cls(toml.loads(given))
        except toml.NotToml as error:
            raise _broken(given, error) from None

    @classmethod
    def load(cls, path: str | os.PathLike[str], *, data: bytes | None = None) -> Record:
        """The record in a file. data: what it holds, if that has been read already. Raises RecordError."""
        try:
            text = platform.text_of(platform.read_named(path) if data is None else data)
        except FileNotFoundError:
            raise RecordError(
                Message("record {value}", value=os.fspath(path)),
                Message("there is no such file"),
                Message("check its name"),
                code="record/file",
            ) from None
        except (OSError, UnicodeDecodeError) as error:
            raise RecordError(
                Message("record {value}", value=os.fspath(path)),
                Message("it cannot be read: {error}", error=error.strerror or str(error))
                if isinstance(error, OSError)
                else no_text(error),
                Message("give a text file"),
                code="record/file",
            ) from None
        if not text.strip():
            raise RecordError(
                Message("record {value}", value=os.fspath(path)),
                Message("the file is empty"),
                Message("name the file of a match"),
            )
        try:
            return cls.parse(text)
        except RecordError as error:
            raise error.of(path) from None

    def __str__(self) -> str:
        return toml.dumps(self.keys)

    def as_dict(self) -> JsonObject:
        """The record as a JSON-able dict."""
        return dict(self.keys)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a temporary file next to it and rename that: on a full disk the old file stays whole.

        Raises SaveError.
        """
        with replacing(path) as file:
            file.write_text(str(self), encoding="utf-8")

    def replay(self, *, check: bool = True) -> Match:
        """Play the record again and check every move and result. Raises RecordError with deal, move number and rule.

        check=False does not check the version of the rules, the winners, payoffs and the result, nor whether the record
        is marked unfinished. An illegal move is still refused.
        """
        return Replay(self.keys, check).run()

    @property
    def title(self) -> str:
        """The title of the match, from the name in the record. Raises RecordError, UnknownGame, OptionError."""
        game, rules = Replay(self.keys)._get(self.keys, "game", str), self.keys.get("rules")
        return catalog.variant(
            catalog.known_as(game, self.keys.get("title")), rules if isinstance(rules, str) else None
        ).title

    @property
    def length(self) -> int:
        """The number of moves in the record, as far as they can be read."""
        deals = self.keys.get("deals")
        moves = [deal.get("moves") for deal in deals if isinstance(deal, Mapping)] if isinstance(deals, list) else []
        return sum(len(one) for one in moves if isinstance(one, list))

    def resumed(self, *, auto: bool = True) -> Match:
        """The match, checked and ready to go on: it makes automatic moves (auto) and waits after each deal.

        Raises RecordError.
        """
        m = self.replay()
        m.pause, m._auto = True, auto
        m._follow()
        return m

    def before(self, deal: int, number: int = 1) -> Record:
        """The record as it was before a move of a deal (both from 1), unfinished.

        Raises RecordError if there is no such move.
        """
        texts = self._moves(deal)
        if not 1 <= number <= len(texts) + 1:
            raise no_such_move(deal, number, len(texts))
        deals = self.keys["deals"]
        cut = {name: value for name, value in deals[deal - 1].items() if name in ("deal", "pack", "reshuffles")} | {
            "moves": texts[: number - 1]
        }
        kept = {name: value for name, value in self.keys.items() if name not in ("deals", "result", "unfinished")}
        return Record(kept | {"unfinished": True, "deals": [*deals[: deal - 1], cut]})

    def acts(self, deal: int) -> list[tuple[SeatNumber, MoveText]]:
        """The moves of a deal (from 1), each with its seat. Raises RecordError."""
        return [_split(text, deal, number) for number, text in enumerate(self._moves(deal), 1)]

    def act(self, deal: int, number: int) -> tuple[SeatNumber, MoveText]:
        """A move of a deal (both from 1) with its seat. Raises RecordError if there is no such move."""
        acts = self.acts(deal)
        if not 1 <= number <= len(acts):
            raise no_such_move(deal, number, len(acts))
        return acts[number - 1]

    def svg(self, deal: int | None = None, number: int | None = None, *, seat: SeatNumber | None = None) -> str:
        """A picture of the table, an SVG document: before a move of a deal (both from 1), or after its last one (None);
        deal=None: the last deal. As a seat could know it then; seat=None: with all hands open.

        Raises RecordError, OptionError (no such seat).
        """
        from cardtable.match.pictures import scene_at
        from cardtable.picture.table import svg

        m = self.replay()
        return svg(scene_at(m, len(m.deals) if deal is None else deal, number, seat))

    def html(self, deal: int | None = None, *, seat: SeatNumber | None = None) -> str:
        """A page of HTML that shows the match, or one deal of it (from 1), move by move, and loads nothing.

        seat: with only what this seat could know; None: with all hands open. Raises as `svg`.
        """
        from cardtable.base.languages import translated
        from cardtable.match.pictures import steps
        from cardtable.picture.stepper import page

        m = self.replay()
        return page(steps(m, deal, seat), translated(Message(m.title)))

    def _repr_html_(self) -> str:
        """The same as a part of a page, for notebooks."""
        from cardtable.match.pictures import steps
        from cardtable.picture.stepper import stepper

        return stepper(steps(self.replay()))

    def _moves(self, deal: int) -> list[Json]:
        """The moves of a deal as they are written. Raises RecordError."""
        deals = self.keys.get("deals")
        count = len(deals) if isinstance(deals, list) else 0
        if not 1 <= deal <= count:
            raise no_such_deal(deal, count)
        told = self.keys["deals"][deal - 1]
        texts = told.get("moves") if isinstance(told, Mapping) else None
        if not isinstance(texts, list):
            raise RecordError(
                Message("deal {deal} of the record", deal=deal),
                Message("it has no moves"),
                Message("write moves as docs/api.md says"),
                deal=deal,
            )
        return texts


def _cuts(m: Match) -> list[str]:
    """The cards cut for the first dealer, in order: seat and card."""
    return [f"{event.source} {event.card}" for event in m._opening if event.kind == "cut"]


def _broken(text: str, error: toml.NotToml) -> RecordError:
    """The error for text that is not TOML; for the beginning of a record, it says how far the text goes."""
    if not text.lstrip().startswith("cardtable") or not error.ended:
        return RecordError(
            Message("this text is no record"),
            error.why,
            Message("a record is a TOML file that begins with: cardtable = 1"),
        )
    with contextlib.suppress(ValueError):
        Replay(toml.loads(text[: text.rfind('",') + 1] + "]\n")).check_truncated()
    deals = text.count("\n[[deals]]")
    return RecordError(
        Message("the record is cut off"),
        Message("its text ends in deal {deals}", deals=deals)
        if deals
        else Message("its text ends before the first deal"),
        Message("get the whole file"),
        code="record/truncated",
        deal=deals,
    )


def _split(text: object, deal: int, number: int) -> tuple[SeatNumber, MoveText]:
    """The seat and the move of an act as it is written. Raises RecordError."""
    match = re.fullmatch(r"(\d{1,2}) (.+)", text) if isinstance(text, str) else None
    if not match:
        what = Message("deal {deal}, move {number}: {text}", deal=deal, number=number, text=repr(str(text)[:40]))
        raise RecordError(
            what,
            Message("a move is written '2 7H': seat, blank, move"),
            Message("mend the record"),
            deal=deal,
            number=number,
        )
    return int(match[1]), match[2]


class Replay:
    """Replays a record's keys, and checks them."""

    def __init__(self, keys: Mapping[str, Json], check: bool = True) -> None:
        self.keys, self.check = keys, check

    def _get(self, keys: Mapping[str, Json], name: str, kind: type, deal: int = 0) -> Json:
        value = keys.get(name)
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            what = Message("deal {deal} of the record", deal=deal) if deal else Message("the record")
            raise RecordError(
                what,
                Message("{name} is missing", name=name)
                if name not in keys
                else Message("{name} is not {kind}", name=name, kind=_KINDS[kind]),
                Message("write {name} as docs/api.md says", name=name),
                deal=deal,
            )
        return value

    def check_truncated(self) -> None:
        """Raise the error in the beginning of a record, if it says more than that the record is cut off between two
        deals.
        """
        try:
            self.run()
        except RecordError as error:
            if error.code in ("record/truncated", "record/illegal", "record/version"):
                raise

    def run(self) -> Match:
        keys = self.keys
        if self._get(keys, "cardtable", int) != FORMAT:
            raise RecordError(
                Message("the record"),
                Message("its format is {keys}; this is format {format}", keys=keys["cardtable"], format=FORMAT),
                Message("use the Cardtable that wrote it"),
                code="record/version",
            )
        game = catalog.find(self._get(keys, "game", str))
        if "title" in keys:
            self._get(keys, "title", str)
        if self._get(keys, "version", int) not in (game.version, *game.options.former) and self.check:
            raise RecordError(
                Message("the record"),
                Message(
                    "it was played by version {keys} of the rules of {title}; these are version {version}",
                    keys=keys["version"],
                    title=game.title,
                    version=game.version,
                ),
                Message("use the Cardtable that wrote it"),
                code="record/version",
            )
        deals = self._get(keys, "deals", list)
        if not deals or not all(isinstance(deal, Mapping) for deal in deals):
            raise RecordError(Message("the record"), Message("it has no deals"), Message("write a [[deals]] for each"))
        m = self._open(deals[0])
        for i, deal in enumerate(deals):
            if i:
                self._next(m, deal)
            self._play(m, deal, last=i == len(deals) - 1)
        self._end(m)
        m._auto = True
        return m

    def _open(self, first: Mapping[str, Json]) -> Match:
        from cardtable.match.match import Match

        keys = self.keys
        title = keys.get("title")
        try:
            rules, house = self._get(keys, "rules", str), self._get({"options": {}, **keys}, "options", dict)
            kinds = catalog.find(keys["game"]).options
            options = kinds.as_of(keys["version"], rules, house)
            # Only house rules: not what else a match is made from.
            kinds.make(rules, self._get(keys, "seats", int), options)
            if "position" in keys:
                position = {
                    "game": keys["game"],
                    "rules": self._get(keys, "rules", str),
                    "seats": self._get(keys, "seats", int),
                    "options": options,
                }
                position |= {"title": title} if title else {}
                m = Match.from_position(
                    position | self._get(keys, "position", dict), seed=self._get(keys, "seed", str), auto=False
                )
                for order in self._reshuffles(first):
                    m.reshuffle(order)
                return m
            call: JsonObject = {
                "seats": self._get(keys, "seats", int),
                "rules": self._get(keys, "rules", str),
                "seed": self._get(keys, "seed", str),
                "auto": False,
            }
            name = catalog.known_as(keys["game"], title)
            dealer = self._get(keys, "dealer", int)
            cuts = self._get(keys, "cuts", list) if "cuts" in keys else []
            opened: JsonObject = {"cuts": cuts} if cuts else {"dealer": dealer}
            if "pack" in first:
                call |= {"reshuffles": self._reshuffles(first)} | opened
                return self._dealt_by(
                    Match.from_pack(self._get(first, "pack", str, 1), name, **call, **options), dealer
                )
            m = Match(name, **call, **options)
            if m.dealer != dealer or _cuts(m) != cuts:
                m = Match(name, **opened, **call, **options)
            for order in self._reshuffles(first):
                m.reshuffle(order)
            return self._dealt_by(m, dealer)
        except RecordError:
            raise
        except CardtableError as error:
            raise RecordError(Message("the record cannot be opened"), error.message, Message("mend it")) from None

    def _dealt_by(self, m: Match, dealer: SeatNumber) -> Match:
        """The match, if this seat is its first dealer. Raises RecordError."""
        if m.deals[0].start.dealer != dealer:
            raise RecordError(
                Message("dealer = {dealer}", dealer=dealer),
                Message("by the cards cut it is {dealer}", dealer=m.deals[0].start.dealer),
                Message("mend the record"),
                code="record/illegal",
                deal=1,
            )
        return m

    def _reshuffles(self, deal: Mapping[str, Json]) -> list[str]:
        return list(self._get(deal, "reshuffles", list)) if "reshuffles" in deal else []

    def _next(self, m: Match, deal: Mapping[str, Json]) -> None:
        try:
            pack = self._get(deal, "pack", str, m.deal + 1) if deal.get("pack") is not None else None
            m.next_deal(pack, reshuffles=self._reshuffles(deal))
        except RecordError:
            raise
        except CardtableError as error:
            raise RecordError(
                Message("deal {value} of the record", value=m.deal + 1),
                error.message,
                Message("mend the record"),
                code="record/illegal",
                deal=m.deal + 1,
                rule=m.game.presentation.END_RULE,
            ) from None

    def _play(self, m: Match, deal: Mapping[str, Json], last: bool) -> None:
        if self._get(deal, "deal", int, m.deal) != m.deal:
            raise RecordError(
                Message("deal {deal} of the record", deal=deal["deal"]),
                Message("deal {deal} comes here", deal=m.deal),
                Message("keep the deals in order"),
                deal=m.deal,
            )
        moves = self._get(deal, "moves", list, m.deal)
        self.play(m, moves)
        where = f"deal {m.deal}, after move {len(moves)}"
        rule = m.game.presentation.END_RULE
        if not m._deals[-1].result:
            if last and (self.keys.get("unfinished") is True or "resigned" in self._result() or not self.check):
                return
            raise RecordError(
                Message("{where}: the record is cut off", where=where),
                Message(
                    "the deal is not over: {seat} {seat:is|are} to act ({rule})", seat=Seat(int(m.actors[0])), rule=rule
                ),
                Message("get the whole file, or mark it unfinished = true"),
                code="record/truncated",
                deal=m.deal,
                number=len(deal["moves"]) + 1,
                rule=rule,
            )
        result = m._deals[-1].result
        if not self.check:
            return
        for name, true in (("winner", result.winner), ("payoff", list(result.payoff))):
            if (told := deal.get(name, true)) != true:
                raise RecordError(
                    Message("{where}: {name} = {told}", where=where, name=name, told=str(told)),
                    Message("by the rules it is {true} ({rule})", true=str(true), rule=rule),
                    Message("mend the record"),
                    code="record/result",
                    deal=m.deal,
                    number=len(deal["moves"]),
                    rule=rule,
                )

    def play(self, m: Match, moves: list[Json]) -> None:
        """Play the moves of a deal. Raises RecordError."""
        for number, text in enumerate(moves, 1):
            self._move(m, number, text)

    def _move(self, m: Match, number: int, text: Json) -> None:
        where = f"deal {m.deal}, move {number}"
        rule = m.game.presentation.END_RULE
        seat, move = _split(text, m.deal, number)
        try:
            actor = m._acting(seat)
            code = m._code(move, actor)
        except IllegalMove as error:
            raise RecordError(
                Message("{where}: {error}", where=where, error=error.message),
                code="record/illegal",
                deal=m.deal,
                number=number,
                rule=error.rule,
            ) from None
        except (NotYourTurn, MatchOver) as error:
            over = not m.actors
            why = Message("the deal was over before it ({rule})", rule=rule) if over else error.message
            raise RecordError(
                Message("{where}: {text}", where=where, text=text),
                why,
                Message("mend the record"),
                code="record/illegal",
                deal=m.deal,
                number=number,
                rule=rule if over else m.game.presentation.TURN_RULE,
            ) from None
        except CardtableError as error:
            raise RecordError(
                Message("{where}: {text}", where=where, text=text),
                error.message,
                Message("mend the record"),
                deal=m.deal,
                number=number,
            ) from None
        legal = m._codes(actor)
        m._events = []
        m._do(actor, code, forced=len(legal) == 1 and m.game.presentation.automatic(m._s, actor, code))
        m._finish()

    def _result(self) -> Mapping[str, Json]:
        told = self.keys.get("result", {})
        return told if isinstance(told, Mapping) else {}

    def _end(self, m: Match) -> None:
        told = self._result()
        rule = m.game.presentation.END_RULE
        if "resigned" in told and not m.over:
            m.resign(self._get(told, "resigned", int))
        if not self.check:
            return
        if not m.over and self.keys.get("unfinished") is not True:
            raise RecordError(
                Message("after deal {deal}: the record is cut off", deal=m.deal),
                Message("the match is not over ({rule})", rule=rule),
                Message("get the whole file, or mark it unfinished = true"),
                code="record/truncated",
                deal=m.deal,
                rule=rule,
            )
        if m.result:
            for name, true in (("scores", list(m.result.scores)), ("winners", list(m.result.winners))):
                if (value := told.get(name, true)) != true:
                    raise RecordError(
                        Message("result: {name} = {value}", name=name, value=value),
                        Message("by the rules it is {true} ({rule})", true=str(true), rule=rule),
                        Message("mend the record"),
                        code="record/result",
                        deal=m.deal,
                        rule=rule,
                    )


_KINDS = {int: "a whole number", str: "text", list: "a list", dict: "a table", bool: "true or false"}
