"""The house rules of Oh Hell! in the words in which people choose them."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.base.message import mark
from cardtable.games.oh_hell.options import WITH_BONUS
from cardtable.games.shared.option_words import FIRST_DEALER
from cardtable.rules.options import DEAL, END, SCORE, PresetWords, Words

WORDS: Mapping[str, Words] = {
    "dealer_rule": Words(
        mark("the dealer's bid"),
        {
            "exceed": mark("must bring the bids above the number of tricks"),
            "not_equal": mark("must not make the bids equal to the tricks"),
            "off": mark("is free"),
        },
    ),
    "scoring": Words(
        mark("a bid scores"),
        {
            "tens": mark("10 for each trick if exact; 10 off for each one too many or too few"),
            "bonus": mark("10 and a point for each trick if exact; nothing if missed"),
            "tricks": mark("a point for each trick, and 10 more if exact"),
            "bonus_minus": mark("10 and a point for each trick if exact; a point off for each one too many or too few"),
            "wizard": mark("20 and 10 for each trick if exact; 10 off for each one too many or too few"),
            "pocha": mark("10 and 5 for each trick if exact; 5 off for each one too many or too few"),
            "squares": mark("10 and its square if exact; the square of the difference off if missed"),
        },
        group=SCORE,
        played={
            "bonus": mark("at most tables"),
            "tricks": mark("in France, in Germany and by programs"),
            "bonus_minus": mark("in some families"),
            "wizard": mark("as in the game Wizard"),
            "pocha": mark("in Spain"),
            "squares": mark("at some clubs"),
        },
    ),
    "bonus_points": Words(
        mark("bonus for an exact bid"),
        only={"scoring": WITH_BONUS},
        group=SCORE,
        played={"5": mark("in some families")},
    ),
    "zero": Words(
        mark("an exact bid of none scores"),
        {
            "as_scored": mark("as the scoring says"),
            "five": mark("5 points"),
            "five_and_cards": mark("5 points, and 1 for each card dealt to a player"),
        },
        group=SCORE,
        played={"five": mark("at many tables"), "five_and_cards": mark("at many tables")},
    ),
    "plan": Words(
        mark("cards from deal to deal"),
        {
            "down_up": mark("down to one and up again"),
            "up_down": mark("from one up and down again"),
            "down": mark("down to one"),
            "up": mark("from one up"),
        },
        group=DEAL,
        played={
            "up_down": mark("at most tables"),
            "down": mark("for a shorter match"),
            "up": mark("for a shorter match"),
        },
    ),
    "max_cards": Words(
        mark("cards for each player in the largest deal"), group=DEAL, played={"": mark("for a shorter match")}
    ),
    "ends_each": Words(
        mark("deals of one card, and the largest, once for each player"),
        group=DEAL,
        played={"yes": mark("in Spain")},
    ),
    "trump": Words(
        mark("the trump suit"),
        {
            "turned": mark("the suit of a card turned up"),
            "rotate": mark("clubs, diamonds, hearts, spades, none, in turn"),
            "spades": mark("always spades"),
        },
        group=DEAL,
        played={"rotate": mark("in Britain, as Nomination Whist"), "spades": mark("at some tables")},
    ),
    "top_trump": Words(
        mark("trump if the whole pack is dealt"),
        {"none": mark("no trump"), "dealers_last": mark("the suit of the dealer's last card, which is shown")},
        only={"trump": ("turned",)},
        group=DEAL,
        played={"none": mark("at most tables"), "dealers_last": mark("in Spain")},
    ),
    "must": Words(
        mark("besides following suit"),
        {
            "follow": mark("nothing is compulsory"),
            "trump": mark("players without the suit must trump"),
            "beat": mark("players must beat the trick, and trump, if they can"),
        },
        played={"trump": mark("in some families"), "beat": mark("in Spain")},
    ),
    "pack": Words(
        mark("cards"),
        {"52": mark("52, ace high"), "40": mark("40, from high to low A 3 K Q J 7 6 5 4 2")},
        group=DEAL,
        played={"40": mark("in Spain")},
    ),
    "direction": Words(
        mark("direction of play"),
        {"clockwise": mark("to the left"), "counter_clockwise": mark("to the right")},
        played={"counter_clockwise": mark("in Spain")},
    ),
    "tiebreak": Words(
        mark("players who are level at the top"),
        {
            "tied_only": mark("play deals of one card"),
            "all": mark("and all others play deals of one card"),
            "shared": mark("win together"),
        },
        group=END,
    ),
    "first_dealer": FIRST_DEALER,
}

PRESETS: Mapping[str, PresetWords] = {
    "oh-hell": PresetWords(about=mark("Ten points for each trick of an exact bid, from ten cards down to one and up.")),
    "common": PresetWords(
        mark("Oh Hell! as most people play it"),
        mark("An exact bid scores 10 and its tricks, any other nothing, from one card up and down again."),
        mark("at most tables"),
    ),
    "pocha": PresetWords(
        about=mark("With 40 cards, to the right: players must beat the trick if they can, and 5 points count a trick."),
        played=mark("in Spain"),
        faces="spanish",
    ),
}
