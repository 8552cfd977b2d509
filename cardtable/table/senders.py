"""Which commands have been done at a table, so that none is done twice, and none is taken for done that was not.

A person may send commands from several places at once. Each open page and each program is a *sender* with numbers of
its own, so what one does takes no number away from another. Clients that do not name a sender share the person's
numbers. All of it follows from the log.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cardtable.base.message import Message
from cardtable.table.commands import BaseCommand, CommandRefused, NumberUsed
from cardtable.table.events import Numbered

KEPT = 64  #: of each sender, the last commands whose digests are kept; a socket takes fewer at once


@dataclass
class DoneCommands:
    """The commands that have been done at a table: by person and sender, the digests of the last ones."""

    _digests: dict[tuple[str, str], dict[int, str]] = field(default_factory=dict)

    def note(self, done: Numbered) -> None:
        """A command has been done."""
        digests = self._digests.setdefault((done.owner, done.sender), {})
        digests[done.seq] = done.digest
        if len(digests) > KEPT:
            del digests[min(digests)]

    def last(self, owner: str, sender: str = "") -> int:
        """The highest number of a sender's commands that have been done; 0: none has."""
        return max(self._digests.get((owner, sender), (0,)))

    def has(self, owner: str, sender: str, command: BaseCommand) -> bool:
        """Whether this command has been done already. Raises CommandRefused if it has not, and another one or a later
        one of this sender has: then it needs another number.
        """
        digests, seq = self._digests.get((owner, sender), {}), command.seq
        if digests.get(seq) in (command.digest, ""):  # logs of earlier versions have no digests
            return True
        if seq > self.last(owner, sender):
            return False
        if len(digests) == KEPT and seq < min(digests):
            why = Message("it has number {seq}, so long ago that it is not known whether it was done", seq=seq)
            raise CommandRefused(Message("this command"), why, Message("look at the table"), code="message/number")
        raise NumberUsed(seq, self.last(owner, sender))
