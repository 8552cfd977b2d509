"""The public interface: a match, its record, and positions, convertible into one another.

A match checks and explains moves, makes the forced ones and stores everything; the base classes implement this.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from cardtable.base.cards import card_text
from cardtable.base.errors import RecordError
from cardtable.base.message import Message
from cardtable.base.types import Json, JsonObject, MoveCode, SeatNumber, Seed
from cardtable.kernel import following
from cardtable.match.given_chance import Noted
from cardtable.match.position import PositionKeys
from cardtable.match.record import FORMAT, RecordKeys
from cardtable.match.replay import Replaying
from cardtable.rules.solver import SECONDS, Limits, Solution
from cardtable.rules.solving import solution, solve

if TYPE_CHECKING:
    from cardtable.analysis.analyse import Analysis
    from cardtable.analysis.endgame import Ending

ITERATIONS = 10_000  #: of an analysis, by default


class Match(Replaying):
    """A series of deals. See docs/api.md §1."""

    @classmethod
    def from_record(cls, record: Record | str | Mapping[str, Json], *, check: bool = True) -> Match:
        """The match of a record, at its end. Raises RecordError.

        check: also compare the results with those in the record (`Record.replay`).
        """
        return Record.parse(record).replay(check=check)

    def position(self) -> Position:
        """Everything on the table. Raises PositionError if no deal is being played."""
        return Position(self._position_keys())

    def record(self) -> Record:
        """The match as a record."""
        keys: JsonObject = {
            "cardtable": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "rules": self.rules,
        }
        keys |= {"title": alias} if (alias := self.ruleset.alias) else {}
        keys |= {"seats": self.seats, "seed": self.seed}
        if self._position is None:
            keys["dealer"] = int(self._deals[0].start.dealer)
            if cuts := self._cuts():
                keys["cuts"] = cuts
        if not self.over:
            keys["unfinished"] = True
        if changed := self.ruleset.changed:
            keys["options"] = changed
        if self._position is not None:
            keys["position"] = {
                k: v for k, v in self._position.items() if k not in ("game", "rules", "title", "seats", "options")
            }
        deals: list[JsonObject] = []
        for deal in self._deals:
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
        if self.result:
            keys["result"] = {"scores": list(self.result.scores), "winners": list(self.result.winners)} | (
                {} if self.result.resigned is None else {"resigned": self.result.resigned}
            )
        return Record(keys)

    def analyse(
        self,
        seat: SeatNumber | None = None,
        *,
        iterations: int = ITERATIONS,
        seconds: float | None = None,
        seed: Seed = 0,
        bot: str = "search",
    ) -> Analysis:
        """Evaluate each legal move of a seat that may act, by search from what it knows (`analyse.analyse`).

        Raises MatchOver, NotYourTurn, OptionError.
        """
        from cardtable.analysis import analyse  # most programs never search

        view = self.view(self._acting(seat))
        return analyse.analyse(view, iterations=iterations, seconds=seconds, seed=seed, bot=bot)

    def analysis(
        self,
        seat: SeatNumber | None = None,
        *,
        iterations: Iterable[int] | None = None,
        seed: Seed = 0,
        bot: str = "search",
    ) -> Iterator[Analysis]:
        """Evaluate incrementally: yield a result after each of these numbers of iterations, until the caller stops
        (`analyse.analysis`).
        """
        from cardtable.analysis import analyse  # as above

        return analyse.analysis(self.view(self._acting(seat)), iterations=iterations, seed=seed, bot=bot)

    def solve(self, *, seconds: float | None = SECONDS, states: int | None = None, seed: Seed = 0) -> Solution:
        """Search for moves that win from here, with all cards known, including those hidden from the player.

        seconds: of processor time; states: positions expanded, instead of seconds (None) or together with them. With
        only states, the same seed gives the same answer. Raises NoSolver, MatchOver, OptionError.
        """
        limits = Limits(seconds, states, seed)
        if self.game.solver is not None:
            self._acting(None)
        return solution(self.game, self._s, solve(self.game, self._s, limits))

    def ending(
        self,
        seat: SeatNumber | None = None,
        *,
        seconds: float | None = SECONDS,
        states: int | None = None,
        opponents: str | None = None,
    ) -> Ending:
        """The best move of a seat that may act, with all cards open, and the loss of each other move
        (`endgame.ending`).

        seconds, states: as for `solve`. opponents: "medium" (the others play the heuristic), "best" (two seats are
        left, and the other one also plays its best) or None (the second where it is found). Raises MatchOver,
        NotYourTurn, OptionError.
        """
        from cardtable.analysis.endgame import ending  # as above

        return ending(self.game, self._s, self._acting(seat), Limits(seconds, states), opponents=opponents)

    def __repr__(self) -> str:
        return f"<Match {self.game.name} {self.rules}, {self.seats} seats, seed {self.seed}, deal {self.deal}>"


class Record(RecordKeys):
    """A match as data: `keys` are those of the file."""

    @classmethod
    def of(cls, m: Match) -> Record:
        """The record of a match as it is now."""
        return m.record()

    def replay(self, *, check: bool = True) -> Match:
        """Replay the record and check every move and result. Raises RecordError with deal, move number and rule.

        check=False skips the version of the rules, the winners, payoffs, the result, and the `unfinished` mark. An
        illegal move is still refused.
        """
        return Match._replayed(self.keys, check=check)

    def resumed(self, *, auto: bool = True) -> Match:
        """The match, checked and ready to continue: it makes automatic moves (auto) and waits after each deal.

        Raises RecordError.
        """
        m = self.replay()
        m._go_on(auto)
        return m

    def scripted(self, seed: Seed | None = None) -> Record:
        """The record of the same match as if it were played with real cards: each deal has its pack and the orders
        after its reshuffles, as far as they have come. So its seed, which is replaced (None: by a random one), decides
        only what comes later, and nothing tells the one that it had. Raises RecordError.
        """
        m = _Scripted._replayed(self.keys)
        for deal in m.deals:
            del deal.orders[deal.used :]
        m.seed = str(secrets.token_hex(32) if seed is None else seed)
        players = {"players": self.keys["players"]} if "players" in self.keys else {}
        return Record({**m.record().keys, **players})

    def _check_truncated(self) -> None:
        try:
            self.replay()
        except RecordError as error:
            if error.code in ("record/truncated", "record/illegal", "record/version"):
                raise

    def svg(self, deal: int | None = None, number: int | None = None, *, seat: SeatNumber | None = None) -> str:
        """A picture of the table, an SVG document: before a move of a deal (both from 1), or after its last one (None);
        deal=None: the last deal. As the seat could know it then; seat=None: with all hands open.

        Raises RecordError, OptionError (no such seat).
        """
        from cardtable.match.pictures import scene_at  # most programs draw nothing
        from cardtable.picture.table import svg

        m = self.replay()
        return svg(scene_at(m, len(m.deals) if deal is None else deal, number, seat))

    def html(self, deal: int | None = None, *, seat: SeatNumber | None = None) -> str:
        """A page of HTML that shows the match, or one deal of it (from 1), move by move, and loads nothing.

        seat: limited to what this seat could know; None: with all hands open. Raises as `svg`.
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


class _Scripted(Match):
    """A match that keeps what chance decides as if it had been given."""

    def _deal(self, pack: list[int] | None, orders: list[list[int]] | None = None) -> None:
        if pack is not None:
            return super()._deal(pack, orders)
        noted = Noted()
        with following(noted):
            super()._deal(None)
        assert noted.first is not None
        deal, (pack, *orders) = self._deals[-1], noted.orders
        if self._why_not_pack(pack):  # the rules have put it in order themselves
            pack, orders = noted.first.tolist(), []
        deal.pack, deal.orders = pack, orders
        deal.dealt = deal.used = len(orders)

    def _step(self, seat: SeatNumber, code: MoveCode) -> None:
        deal, before = self._deals[-1], self._s.copy()
        given = deal.used < len(deal.orders)
        super()._step(seat, code)
        if given or (self._s.rng == before.rng).all():
            return
        noted = Noted()
        self._s = before
        with following(noted):
            super()._step(seat, code)
        deal.orders += noted.orders
        deal.used = len(deal.orders)


class Position(PositionKeys):
    """Everything on the table. `keys` are those of docs/api.md §4 and of the game."""

    def svg(self, seat: SeatNumber | None = None) -> str:
        """The position as an SVG document: as a seat knows it; None: with all hands open.

        Raises PositionError, OptionError (no such seat).
        """
        from cardtable.match.pictures import scene_at
        from cardtable.picture.table import svg

        return svg(scene_at(Match.from_position(self, auto=False, pause=True), 1, seat=seat))

    def _repr_svg_(self) -> str:
        """The picture with all hands open, for notebooks."""
        return self.svg()
