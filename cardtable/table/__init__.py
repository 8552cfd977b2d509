"""A live table without a network or a database: a log of events, folded into state, and the commands that add to it.

`setup` defines the game and rules, `events` the possible events, `commands` people's requests; `live` folds a log,
`decide` turns a command (or the passing of time) into the next event or a refusal, `realtime` makes the ticks of
real-time games, `projection` is one viewer's view of a table, `fair` proves the shuffle, `archive` makes the record of
a match.
"""

from cardtable.table.commands import Command as Command
from cardtable.table.commands import Refusal as Refusal
from cardtable.table.decide import decide as decide
from cardtable.table.decide import due as due
from cardtable.table.events import Entry as Entry
from cardtable.table.live import LiveTable as LiveTable
from cardtable.table.setup import Setup as Setup
