"""The state of a Fan Tan table: its house rules as integers, and everything that is true."""

from __future__ import annotations

from typing import Any

from cardtable.games.chips import CUT_HIGH, SEATS, ChipRules, ChipTable, set_up
from cardtable.kernel import Ints, cite, field

MAX_MOVES = 55
PASS, DRAW, DONE = 52, 53, 54
ONE, GROUP, ANY = 0, 1, 2  # plays_per_turn
FLAT, FEWER_EXTRA, MORE_EXTRA = 0, 1, 2  # ante_rule
NO_GROUP, FOUNDERS = 0, 5  # group of a turn: 1..4 a suit, 5 the founding cards
STOCK = 18


class Rules(ChipRules):
    """House rules, and the rule IDs by which chips move."""

    start_ranks: int = field()  #: mask of ranks that may open a deal
    hand_size: int = field()  #: cards dealt to each; 0: the whole pack
    ante_rule: int = field()
    ante: int = field()
    pass_chip: int = field()
    draw_chip: int = field()
    plays: int = field()
    dead_hand: int = field()
    direct: int = field()  #: 1: losers pay the winner, 0: the pot
    fine_pot: int = field()
    fine_neighbour: int = field()
    fine_forced: int = field()
    fine_beyond: int = field()
    layout_side: int = field()  #: 0: upward cards on the left, 1: on the right (looks only)
    cut_rule: int = field()
    ante_cite: int = field()
    pass_cite: int = field()
    draw_cite: int = field()
    neighbour_cite: int = field()
    settle_cite: int = field()


class Table(ChipTable):
    """What a table of Fan Tan or Domino Fan-Tan holds. Each has a record of its own, told apart by its last field."""

    rules: Rules = Rules.inside
    turn: int = field()
    layout: int = field()  #: cards on the table
    absent: int = field()  #: cards that are out of this deal (positions only)
    set_rank: int = field()  #: rank of the founding cards + 1; 0 while any of start_ranks may open
    group: int = field()  #: what this turn of several cards is about; NO_GROUP before its first card
    passes: int = field()  #: passes in a row
    stock_size: int = field()  #: cards that the stock began with
    drawn: int = field()  #: how many of them were drawn
    fresh: int = field()  #: strict play, 1: the seat to move has just drawn a card, which `lacks` says nothing about
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    lacks: Ints = field("i8", SEATS)  #: fact: holds none of these
    shows: Ints = field("i8", SEATS)  #: fact: holds all of these (found out by an offence)
    one_of: Ints = field("i8", SEATS)  #: fact: holds at least one of these; 0: nothing known
    keeps: Ints = field("i8", SEATS)  #: fact: of each group that has cards here, holds at least one of them (a turn of several cards went on)
    stock: Ints = field("i8", STOCK)  #: from the top
    # The history that offences are judged by; kept only where the rules penalise.
    origin: int = field()  #: layout when the history begins
    opener: int = field()  #: who has the turn when the history begins
    laid_count: int = field()
    laid: Ints = field("i8", 52)  #: the cards laid since, in order
    laid_by: Ints = field("i8", SEATS)  #: the same as sets, by seat
    skipped: Ints = field("i8", 53)  #: before the k-th of them: mask of the seats that passed while they might have been able
    drew: Ints = field("i8", STOCK)  #: of each draw: seat | cards laid before << 4
    found: Ints = field("i8", STOCK)  #: of each draw: what was found out about it (`finding`)


def setup(s: Table, game: str, options: Any, seats: int) -> None:
    """Fill a new state's rules from resolved options (plain Python)."""
    r, o = s.rules, options
    s.seats = seats
    set_up(r, o, seats)
    ranks = getattr(o, "start_ranks", "7")
    r.start_ranks = sum(1 << int(rank) - 1 for rank in ranks.split(","))
    r.hand_size = getattr(o, "hand_size", 0)
    r.ante_rule = {"flat": FLAT, "fewer_extra": FEWER_EXTRA, "more_extra": MORE_EXTRA}[getattr(o, "ante_rule", "flat")]
    r.plays = {"one": ONE, "group": GROUP, "any": ANY}[getattr(o, "plays_per_turn", "one")]
    r.dead_hand = int(getattr(o, "dead_hand", "no") == "yes")
    r.draw_chip = getattr(o, "draw_chip", 0)
    r.ante, r.pass_chip = o.ante, o.pass_chip
    r.direct = int(o.settle == "direct")
    r.fine_pot, r.fine_neighbour = o.fine_pot, o.fine_neighbour
    r.fine_forced = int(o.fine_when == "forced")
    r.fine_beyond = int(o.fine_beyond_run == "yes")
    r.layout_side = int(o.layout_side == "6L8R")
    british = r.fine_forced
    r.cut_rule = cite("FT-11" if r.first_dealer == CUT_HIGH else "FT-10")
    r.ante_cite = cite({FEWER_EXTRA: "FT-16", MORE_EXTRA: "FT-19"}.get(r.ante_rule, "FT-18" if british else "FT-17"))
    r.pass_cite = cite({"five-or-nine": "FN-07", "domino-fan-tan": "DF-05"}.get(game, "FT-22"))
    r.draw_cite = cite("DF-03")
    r.neighbour_cite = cite("FT-38" if british else "FT-37" if r.fine_beyond else "FT-39" if r.plays else "FT-35")
    r.settle_cite = cite("FT-43" if r.direct else "FT-42")
