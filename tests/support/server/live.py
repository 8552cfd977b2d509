"""A table driven by hand: each event goes to a log and is applied, as a server does it, with a clock that tests
turn.
"""

from __future__ import annotations

from typing import Any

from cardtable.bots import bot
from cardtable.rules import catalog
from cardtable.table import Entry, LiveTable, Refusal, Setup, decide, due, fair
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.decide import back
from cardtable.table.projection import may
from cardtable.table.setup import checked

SECRET = "5a" * 32


class Driven:
    """A table, its log and its clock. People are named by a letter: `a` sits at seat 0 and is the host."""

    beat = 0  #: milliseconds before a forced move

    def __init__(self, game: str = "fan-tan", people: str = "", shuffles: str | None = None, **setup: Any) -> None:
        """people: who sits down at once, in the order of the seats; shuffles: who takes part in shuffles as clients do
        (None: everybody).
        """
        self.shuffles = shuffles
        self.log: list[Entry] = []
        self.now = 1_000_000
        self.table = LiveTable()
        self.seqs: dict[str, int] = {}
        self.happen(
            ev.Created("T1", checked(Setup(game, **setup)), "a", SECRET, catalog.find(game).version, stepwise=True)
        )
        for owner in people:
            self.ask(owner, cm.Sit, name=owner)

    def happen(self, event: ev.Event, owner: str = "", seq: int = 0, digest: str = "") -> None:
        """Log and apply an event, and what follows from it. The others: of the command that it carries out."""
        entry = Entry(self.table.version + 1, self.now, event, owner, seq, digest=digest)
        self.log.append(entry)
        self.table.apply(entry)
        self.follow()

    def follow(self) -> None:
        """Let happen what is due, and what clients do automatically."""
        if event := due(self.table, self.now, self.beat):
            self.happen(event)
        elif self.table.stage == "shuffling":
            self._shuffle()

    def _shuffle(self) -> None:
        """The next client that has something to do in the shuffle does it."""
        for seat in self.table.people:
            owner = self.table.places[seat].owner
            can = may(self.table, seat, False) if self.shuffles is None or owner in self.shuffles else ()
            if "commit" in can:
                self.ask(owner, cm.Commit, commitment=fair.committed(self.entropy(owner)))
                return
            if "reveal" in can:
                self.ask(owner, cm.Reveal, entropy=self.entropy(owner))
                return

    def entropy(self, owner: str) -> str:
        number = self.table.number + 1
        return f"chance of {owner}" + (f" in match {number}" if number > 1 else "")

    def ask(self, owner: str, kind: Any, **fields: Any) -> Refusal | None:
        """A command of a person: done (None) or refused."""
        seq = self.seqs.get(owner, 0) + 1
        command = kind(seq=seq, **fields)
        answer = decide(self.table, owner, command)
        if isinstance(answer, Refusal):
            return answer
        assert answer is not None
        self.seqs[owner] = seq
        self.happen(answer, owner, seq, command.digest)
        return None

    def move(self, owner: str, move: str) -> Refusal | None:
        """A move, from one who sees the table as it is."""
        return self.ask(owner, cm.PlayMove, move=move, at=self.table.numbers[self.table.viewer_of(owner)])

    def advised(self, seat: int) -> str:
        return bot("medium", 1).choose(self.table.views[seat])

    def step(self) -> None:
        """The next thing that somebody does: a bot, a person (who plays sensibly), or all going on."""
        table = self.table
        assert table.match is not None
        if seats := table.bot_seats():
            self.happen(ev.Moved(seats[0], self.advised(seats[0]), "bot"))
        elif table.stage == "playing":
            seat = table.match.actors[0]
            assert self.move(table.places[seat].owner, self.advised(seat)) is None
        else:
            for seat in table.people:
                if table.stage == "between" and not table.places[seat].ready:
                    assert self.ask(table.places[seat].owner, cm.GetReady) is None
            if not table.people:
                self.wait(60)
        self.now += 250

    def play(self, stage: str = "over", most: int = 20_000) -> None:
        for _ in range(most):
            if self.table.stage == stage:
                return
            self.step()
        raise AssertionError(f"not {stage} after {most} steps")

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * 1000)
        self.follow()

    def runs_out(self, seconds: float) -> None:
        """A turn's time is over after a number of seconds, and not before: the clock plays."""
        version = self.table.version
        self.wait(seconds - 0.1)
        assert self.table.version == version
        self.wait(0.2)
        event = self.log[version].event
        assert isinstance(event, ev.Moved)
        assert event.by == "clock"

    def returns(self, owner: str) -> None:
        if event := back(self.table, owner):
            self.happen(event)
