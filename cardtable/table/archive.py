"""The stored form of a finished match: its record, with the proof of its shuffle and the players' names."""

from __future__ import annotations

from cardtable.base.errors import MatchOver
from cardtable.base.message import Message
from cardtable.match.match import Record
from cardtable.table import fair
from cardtable.table.live import LiveTable


def record_of(table: LiveTable) -> Record:
    """The record of the finished match. Raises MatchOver (`match/deal`) earlier, as it would show every card."""
    if table.match is None or not table.match.over:
        raise MatchOver(
            Message("the record"),
            Message("the match is not over, and its record shows every card"),
            Message("ask when it is"),
            code="match/deal",
        )
    keys = dict(record_so_far(table).keys)
    if not table.setup.open_seed:
        keys["fair"] = fair.proof(table.secret, table.id, table.number, table.entropy, table.commitments)
    return Record(keys)


def record_so_far(table: LiveTable) -> Record:
    """The record of the match, over or not: its seed tells every card to come, so nobody may see it."""
    players = [place.name if place.owner else f"bot: {place.level}" for place in table.places]
    return Record({**table.current_match.record().keys, "players": players})
