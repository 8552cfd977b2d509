"""The house rules of Scopa in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import DEAL, END, SCORE, PresetWords, Words

#: an option has an effect only where aces take all
ACES: Mapping[str, tuple[str, ...]] = {"aces": ("take_all", "take_all_sweep")}
WORDS: Mapping[str, Words] = {
    "deal": Words(
        mark("cards dealt"),
        {
            "threes": mark("three each at a time, and four to the table"),
            "nine": mark("nine each, and four to the table"),
            "ten": mark("ten each, and none to the table"),
        },
        group=DEAL,
        played={"nine": mark("by most tables of four in Italy"), "ten": mark("by many tables of four in Italy")},
    ),
    "capture": Words(
        mark("a card takes"),
        {
            "rank": mark("one of its rank, or else cards that add up to it"),
            "fifteen": mark("cards that make 15 together with it"),
        },
        played={"fifteen": mark("in Spain, Argentina and Brazil")},
    ),
    "aces": Words(
        mark("an ace takes"),
        {
            "normal": mark("an ace"),
            "take_all": mark("everything, which is no scopa"),
            "take_all_sweep": mark("everything, and that is a scopa"),
        },
        played={"take_all": mark("in northern Italy and online"), "take_all_sweep": mark("at many tables in Italy")},
    ),
    "ace_on_table": Words(
        mark("if an ace lies on the table, an ace takes"),
        {"takes_all": mark("everything all the same"), "pairs": mark("only an ace")},
        only=ACES,
        played={"pairs": mark("online, as the traditional form")},
    ),
    "ace_on_empty": Words(
        mark("an ace played to an empty table"),
        {"stays": mark("stays there"), "own_pile": mark("goes to the player's pile")},
        only=ACES,
        played={"own_pile": mark("at some tables in Italy")},
    ),
    "first_ace": Words(
        mark("the first card of the deal"),
        {"allowed": mark("may be an ace"), "barred": mark("may not be an ace")},
        only={**ACES, "deal": ("nine", "ten")},
        played={"barred": mark("online, by four players")},
    ),
    "target": Words(
        mark("points that win the match"),
        group=END,
        played={"15": mark("in Spain and Argentina"), "31": mark("in long matches, in Italy and online")},
    ),
    "king_misdeal": Words(
        mark("three or four kings on the first table: it is dealt again"),
        only={"deal": ("threes", "nine")},
        group=DEAL,
    ),
    "counting": Words(
        mark("counting"),
        {
            "stop_at_target": mark("stops as soon as a side has enough"),
            "full_deal": mark("goes to the end of the deal"),
        },
        group=END,
    ),
    "primiera": Words(
        mark("the primiera goes to"),
        {
            "points": mark("the highest sum"),
            "sevens": mark("the most sevens, then sixes, aces and so on"),
            "most_sevens": mark("the most sevens, or nobody"),
        },
        group=SCORE,
        played={"sevens": mark("in Italian families"), "most_sevens": mark("at Spanish tables")},
    ),
    "re_bello": Words(
        mark("the king of diamonds (re bello) scores a point"),
        group=SCORE,
        played={"on": mark("in Italy and online")},
    ),
    "napola": Words(
        mark("ace, 2 and 3 of diamonds (napola)"),
        {
            "off": mark("score nothing extra"),
            "on": mark("score a point each, with the diamonds that follow"),
            "wins_all": mark("score, and all ten diamonds win the match"),
        },
        group=SCORE,
        played={"on": mark("in Naples, Milan and online"), "wins_all": mark("at some tables in Italy")},
    ),
    "first_dealer": FIRST_DEALER,
}

PRESETS: Mapping[str, PresetWords] = {
    "scopa": PresetWords(about=mark("Three cards each at a time, for two, three or four players.")),
    "scopone": PresetWords(
        about=mark("Two against two with the whole pack: nine cards each, and four on the table."),
        played=mark("by most tables of four in Italy"),
        faces="italian",
    ),
    "scopone-ten": PresetWords(
        about=mark("Two against two with the whole pack: ten cards each, and an empty table."),
        played=mark("by many tables of four in Italy"),
        faces="italian",
    ),
    "asso-piglia-tutto": PresetWords(
        about=mark("An ace takes everything on the table, which is no scopa; four players get ten cards each."),
        played=mark("in northern Italy and online"),
        faces="italian",
    ),
    "escoba": PresetWords(
        about=mark("A card takes cards that make 15 together with it."),
        played=mark("in Spain, Argentina and Brazil"),
        faces="spanish",
    ),
}
