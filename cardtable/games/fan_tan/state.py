"""The complete state of a Fan Tan table, with its house rules as integers."""

from __future__ import annotations

from cardtable.games.fan_tan.options import DominoOptions, FanTanOptions, FineOptions, FiveOrNineOptions
from cardtable.games.shared.chips import SEATS, ChipTable
from cardtable.kernel import Ints, cite, field
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules

MAX_MOVES = 55
PASS, DRAW, DONE = 52, 53, 54
ACTIONS = 55  #: cards, PASS, DRAW, DONE
SEVENS = 1 << 6  #: as a mask of ranks
NO_GROUP, FOUNDERS = 0, 5  # group of a turn: 1..4 a suit, 5 the founding cards
STOCK = 18


class FanTanTable(ChipTable):
    """The fields shared by the tables of Fan Tan and Domino Fan-Tan. Their state classes differ in the last field."""

    rules: HouseRules = rules_of(
        FanTanOptions,
        FiveOrNineOptions,
        DominoOptions,
        several=field(),  # 1: several cards may be laid in a turn
        cut_cite=field(),  # the rule IDs by which the dealer is found and chips move
        ante_cite=field(),
        pass_cite=field(),
        draw_cite=field(),
        neighbour_cite=field(),
        settle_cite=field(),
    )
    turn: int = field()
    layout: int = field()  #: cards on the table
    absent: int = field()  #: cards that are out of this deal (positions only)
    set_rank: int = field()  #: rank of the founding cards + 1; 0 while any of start_ranks may open
    group: int = field()  #: what this turn of several cards is about; NO_GROUP before its first card
    passes: int = field()  #: passes in a row
    stock_size: int = field()  #: the number of cards in the stock at the beginning
    drawn: int = field()  #: how many of them were drawn
    fresh: int = field()  #: strict play: 1 if the seat to move has just drawn a card, to which `lacks` does not apply
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    lacks: Ints = field("i8", SEATS)  #: fact: holds none of these
    shows: Ints = field("i8", SEATS)  #: fact: holds all of these (found out by an offence)
    one_of: Ints = field("i8", SEATS)  #: fact: holds at least one of these; 0: none known
    #: fact: of each group that has cards here, holds at least one of them (a turn of several cards continued)
    keeps: Ints = field("i8", SEATS)
    passed: Ints = field("i8", SEATS)  #: passes made in this deal, where their number is limited (FT-C2)
    laid_out: Ints = field("i8", SEATS)  #: the cards that a seat laid out because it had lost (FT-C2); 0: it has not
    strays: int = field()  #: of these cards, the ones that the rows have not reached
    stock: Ints = field("i8", STOCK)  #: from the top
    # The history that offences are judged by; kept only where the rules penalise.
    origin: int = field()  #: layout when the history begins
    opener: int = field()  #: the seat to move at the start of the history
    laid_count: int = field()
    laid: Ints = field("i8", 52)  #: the cards laid since, in order
    laid_by: Ints = field("i8", SEATS)  #: the same as sets, by seat
    #: before the k-th of them: mask of the seats that passed while they might have been able
    skipped: Ints = field("i8", 53)
    drew: Ints = field("i8", STOCK)  #: of each draw: seat | cards laid before << 4
    found: Ints = field("i8", STOCK)  #: for each draw: the facts found out about it (`finding`)


def prepare(s: FanTanTable, game: str, options: FineOptions) -> None:
    """Set the ranks that may open, and the rules cited when chips move."""
    r = s.rules
    if not r.start_ranks:
        r.start_ranks = SEVENS
    r.several = r.plays_per_turn_group | r.plays_per_turn_any
    british = r.fine_when_forced
    r.cut_cite = cite("FT-11" if options.first_dealer == "cut_high" else "FT-10")
    r.ante_cite = cite(
        "FT-16" if r.ante_rule_fewer_extra else "FT-19" if r.ante_rule_more_extra else "FT-18" if british else "FT-17"
    )
    r.pass_cite = cite({"five-or-nine": "FN-07", "domino-fan-tan": "DF-05"}.get(game, "FT-22"))
    r.draw_cite = cite("DF-03")
    r.neighbour_cite = cite("FT-38" if british else "FT-37" if r.fine_beyond_run else "FT-39" if r.several else "FT-35")
    r.settle_cite = cite("FT-43" if r.settle_direct else "FT-42")
