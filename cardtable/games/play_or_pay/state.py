"""The complete state of a Play or Pay table, with its house rules as integers.

Offences need no hidden record. A seat is fined for passing with the card needed in its hand (PP-Q6), and nobody else
can lay that card. A seat has its first turn since the last card exactly while fewer than n passes were made in a row,
so a player who lays the card needed after n passes or more has passed while able; until then only the hands show it.
"""

from __future__ import annotations

from cardtable.games.play_or_pay.options import PlayOrPayOptions
from cardtable.games.shared.chips import SEATS, ChipTable
from cardtable.kernel import Ints, cite, field
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules

MAX_MOVES = 53
PASS = 52
ACTIONS = 53


class State(ChipTable):
    """The state of a Play or Pay table."""

    rules: HouseRules = rules_of(PlayOrPayOptions, cut_cite=field(), settle_cite=field())
    turn: int = field()
    need: int = field()  #: the card needed; -1: a suit is to be led
    laid: int = field()  #: cards of the suit in play that are down, 0 between suits
    run: int = field()  #: cards that the seat to act has laid in this turn, in this suit
    passes: int = field()  #: passes in a row
    layout: int = field()  #: cards on the table
    absent: int = field()  #: cards that are out of this deal (positions only)
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    lacks: int = field()  #: fact: mask of the seats that do not hold the card needed
    shows: int = field()  #: fact: seat + 1 that holds the card needed; 0: unknown
    offences: Ints = field("i8", SEATS)  #: passes while able, known by now, that are fined at the end


def prepare(s: State, game: str, options: PlayOrPayOptions) -> None:
    """Set the rules cited when chips move."""
    s.rules.cut_cite = cite("FT-11" if options.first_dealer == "cut_high" else "FT-10")
    s.rules.settle_cite = cite("PP-14" if options.settlement == "cards_left" else "PP-12")
