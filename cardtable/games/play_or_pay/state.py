"""The state of a Play or Pay table: its house rules as integers, and everything that is true.

Offences need no hidden record. A seat is fined for passing with the card needed in its hand (PP-Q6), and that card is
laid by nobody else. It is its first turn since the last card exactly if fewer than n passes were made in a row, so
whoever lays the card needed after n passes or more has passed while able; until then only the hands know it.
"""

from __future__ import annotations

from typing import Any

from cardtable.games.chips import CUT_HIGH, SEATS, ChipRules, ChipTable, set_up
from cardtable.kernel import Ints, cite, field

MAX_MOVES = 53
PASS = 52
NO_BONUS, CONTINUATION, WHOLE_RUN = 0, 1, 2  # run_bonus


class Rules(ChipRules):
    """House rules, and the rule IDs by which chips move."""

    continue_run: int = field()
    bonus: int = field()
    pass_chip: int = field()
    ante: int = field()
    pay_cards: int = field()  #: 1: losers pay the winner for cards left
    fine_pot: int = field()
    cut_cite: int = field()
    settle_cite: int = field()


class State(ChipTable):
    """A table of Play or Pay."""

    rules: Rules = Rules.inside
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
    shows: int = field()  #: fact: seat + 1 that holds the card needed; 0: nothing known
    offences: Ints = field("i8", SEATS)  #: passes while able, known by now, that are fined at the end


def setup(s: State, game: str, options: Any, seats: int) -> None:
    """Fill a new state's rules from resolved options (plain Python)."""
    r, o = s.rules, options
    s.seats = seats
    s.need = -1
    set_up(r, o, seats)
    r.continue_run = int(o.continue_run == "yes")
    r.bonus = {"none": NO_BONUS, "continuation": CONTINUATION, "whole_run": WHOLE_RUN}[o.run_bonus]
    r.pass_chip, r.ante, r.fine_pot = o.pass_chip, o.ante, o.fine_pot
    r.pay_cards = int(o.settlement != "pot")
    r.cut_cite = cite("FT-11" if r.first_dealer == CUT_HIGH else "FT-10")
    r.settle_cite = cite("PP-14" if o.settlement == "cards_left" else "PP-12")
