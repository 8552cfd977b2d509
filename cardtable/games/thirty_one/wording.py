"""The house rules of Thirty-One in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import DEAL, END, SCORE, PresetWords, Words

MARKERS = {"stake": ("markers",)}

WORDS: Mapping[str, Words] = {
    "stake": Words(
        mark("everybody has"),
        {"markers": mark("markers to give up"), "banknote": mark("a banknote with four corners to fold")},
        group=SCORE,
    ),
    "lives": Words(
        mark("markers at the start"), only=MARKERS, group=SCORE, played={"3": mark("at most tables, and in Italy")}
    ),
    "free_life": Words(
        mark("without markers one plays on until the next loss"),
        group=END,
        played={"no": mark("at many tables")},
    ),
    "pack": Words(
        mark("the pack of cards"),
        {"52": mark("52 cards"), "40": mark("40 cards, without 8, 9 and 10"), "32": mark("32 cards, from the 7 up")},
        group=DEAL,
        played={"40": mark("in Italy"), "32": mark("in the Netherlands")},
    ),
    "odd_card": Words(
        mark("a hand of two suits counts"),
        {"pair": mark("its two cards of one suit"), "best_suit": mark("whichever suit is worth more")},
        group=SCORE,
    ),
    "blitz_penalty": Words(
        mark("after a blitz"),
        {"lowest": mark("the lowest hand loses"), "all_others": mark("everybody without 31 loses")},
        group=SCORE,
    ),
    "blitz_loses": Words(
        mark("a knocker without 31 then loses"),
        only={"blitz_penalty": ("all_others",)},
        group=SCORE,
        played={"2": mark("at some tables in the United States")},
    ),
    "three_of_a_kind": Words(
        mark("three of a kind count 30½"),
        group=SCORE,
        played={"yes": mark("at most tables")},
    ),
    "threes_tie": Words(
        mark("two hands of three of a kind"),
        {"equal": mark("are level"), "by_rank": mark("are compared by their rank")},
        only={"three_of_a_kind": ("yes",)},
        group=SCORE,
        played={"by_rank": mark("at some tables")},
    ),
    "knock_loses": Words(
        mark("a knocker whose hand alone is lowest loses"), group=SCORE, played={"1": mark("at some tables")}
    ),
    "knock_tie": Words(
        mark("a knocker who is level with the lowest hand"),
        {
            "spared": mark("loses nothing"),
            "pays_one": mark("loses one marker"),
            "pays_two": mark("loses two markers"),
        },
        group=SCORE,
        played={"pays_one": mark("at many tables"), "pays_two": mark("at some tables")},
    ),
    "min_knock": Words(mark("least count to knock with"), played={"": mark("at some tables, with 21 or 27")}),
    "first_round_knock": Words(
        mark("knocking before all have had a turn"),
        {"allowed": mark("is allowed"), "forbidden": mark("is not allowed")},
    ),
    "first_dealer": FIRST_DEALER,
}

PRESETS: Mapping[str, PresetWords] = {
    "thirty-one": PresetWords(
        about=mark(
            "Four markers; two cards of one suit count, even if the third is worth more; after a blitz only the lowest "
            "hand loses."
        ),
    ),
    "common": PresetWords(
        mark("Thirty-One as most people play it"),
        mark("Three markers; three of a kind count 30½, the best suit counts, and everybody else pays for a blitz."),
        mark("at most tables"),
    ),
    "trentuno": PresetWords(
        mark("Trentuno"),
        mark("Three markers and a pack of 40 cards; three of a kind count 30½."),
        mark("in Italy"),
        faces="italian",
    ),
}
