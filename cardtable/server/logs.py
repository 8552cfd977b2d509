"""The server's log: lines with a time, on standard error, limited to a number that people can read."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

#: what the operator does; all of it is written
operator = logging.getLogger("cardtable.operator")
operator.setLevel(logging.INFO)
MOST_LIKE_IT = 10  #: lines of one kind within `SPAN`
MOST = 200  #: lines of all kinds
SPAN = 60.0  #: seconds
KINDS = 500  #: kinds of lines that are counted


class Limited(logging.Filter):
    """Lets a limited number of lines through in each span of time, of each kind and of all; the next line says how many
    were left out.

    A line's kind is its logger and the beginning of its text before values are filled in.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._began = clock()
        self._lines = 0
        self._left_out = 0
        self._kinds: OrderedDict[tuple[str, str], int] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a line."""
        if record.name == operator.name:
            return True
        if self._clock() - self._began >= SPAN:
            if self._left_out:
                record.msg = f"{record.getMessage()} ({self._left_out} lines were left out before this one)"
                record.args = ()
            self._began, self._lines, self._left_out = self._clock(), 0, 0
            self._kinds.clear()
        kind = record.name, str(record.msg).partition("\n")[0][:60]
        count = self._kinds[kind] = self._kinds.get(kind, 0) + 1
        if len(self._kinds) > KINDS:
            self._kinds.popitem(last=False)
        if count > MOST_LIKE_IT or self._lines >= MOST:
            self._left_out += 1
            return False
        self._lines += 1
        return True


def set_up() -> None:
    """Set up this log for the process, unless it has one already."""
    if logging.getLogger().handlers:
        return
    handler = logging.StreamHandler()
    handler.addFilter(Limited())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.getLogger().addHandler(handler)
