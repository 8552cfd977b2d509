"""House rules that several games share, in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.rules.options import DEAL, END, SCORE, Words

CHIPS = {"stakes": ("chips",)}  #: an option has an effect only where chips are played for
FINES = {"enforce": ("penalise",)}  #: or only where mistakes cost chips
FIRST_DEALER = Words(
    mark("first dealer"),
    {
        "random": mark("by lot"),
        "cut_low": mark("whoever cuts the lowest card"),
        "cut_high": mark("whoever cuts the highest card"),
    },
    group=DEAL,
)
STACK = Words(mark("chips at the start"), group=SCORE)
ENFORCE = Words(mark("wrong moves"), {"strict": mark("are refused"), "penalise": mark("are possible and cost chips")})
DETECT = Words(
    mark("mistakes come to light"), {"end": mark("when the hands are shown"), "immediate": mark("at once")}, only=FINES
)
STAKES = Words(mark("played for"), {"chips": mark("chips"), "none": mark("deals won")}, group=SCORE)
CREDIT = Words(
    mark("players without chips"),
    {"open": mark("go on paying and owe them"), "table": mark("pay no more than they have")},
    only=CHIPS,
    group=SCORE,
)
CREDIT_ALWAYS = Words(CREDIT.label, CREDIT.values, group=SCORE)  #: where there are always chips
ANTE = Words(mark("ante"), only=CHIPS, group=SCORE)
PASS_CHIP = Words(mark("a pass costs a chip"), only=CHIPS, group=SCORE)
DEALS = Words(mark("deals in a match"), group=END)
TURN_CAP = Words(mark("turns after which a deal is given up"), {"none": mark("no limit")}, group=END)
FINE_POT = Words(mark("fine for passing while able"), only=FINES, group=SCORE)
#: the options of `ChipOptions`
CHIP_WORDS: Mapping[str, Words] = {
    "first_dealer": FIRST_DEALER,
    "stack": STACK,
    "enforce": ENFORCE,
    "detect": DETECT,
    "stakes": STAKES,
    "credit": CREDIT,
    "deals": DEALS,
}
