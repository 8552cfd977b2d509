"""The surprises of each game: sentences whose numbers are filled in from the figures, and what the figures must say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Surprise:
    """A sentence, the figures in it, and what makes it true."""

    text: str  #: with a place for each figure: {costs:.1f}
    figures: Mapping[str, str]  #: the place's name and where its figure is; "-" before it turns its sign
    claims: tuple[str, ...]  #: `costs > 0`: the figure is so, with its whole 95 % interval; `costs = 0`: exactly


def at(kept: Data, path: str) -> tuple[float, float, float]:
    """A figure, and both ends of its interval; they are the figure itself where it has none: it is no mean, or was the
    same in every match. Raises KeyError.
    """
    found: Any = kept
    sign = -1.0 if path.startswith("-") else 1.0
    for part in path.removeprefix("-").split("/"):
        found = found[int(part)] if isinstance(found, list) else found[part]
    if not isinstance(found, Mapping):
        return sign * found, sign * found, sign * found
    middle = next(found[name] for name in ("mean", "difference", "share") if name in found)
    if found["low"] is None:
        return sign * middle, sign * middle, sign * middle
    low, high = sorted((sign * found["low"], sign * found["high"]))
    return sign * middle, low, high


def holds(surprise: Surprise, kept: Data) -> list[str]:
    """The claims of a surprise that its figures do not bear out; none if it is true."""
    wrong = []
    for claim in surprise.claims:
        left, sign, right = claim.split()
        middle, low, high = at(kept, surprise.figures[left])
        bound = at(kept, surprise.figures[right]) if right in surprise.figures else (float(right),) * 3
        true = {"<": high < bound[1], ">": low > bound[2], "=": low == high == middle == bound[0]}[sign]
        if not true:
            wrong.append(f"{claim}: {middle:g} [{low:g}, {high:g}] {sign} {bound[0]:g} [{bound[1]:g}, {bound[2]:g}]")
    return wrong


def sentence(surprise: Surprise, kept: Data) -> str:
    """The sentence with its figures."""
    return surprise.text.format(**{name: at(kept, path)[0] for name, path in surprise.figures.items()})


def untrue(game: str, kept: Data) -> list[str]:
    """What is wrong with the surprises of a game."""
    return [f"{game}: {each.text}: {why}" for each in SURPRISES.get(game, ()) for why in holds(each, kept)]


SURPRISES: Mapping[str, tuple[Surprise, ...]] = {
    "fan-tan": (
        Surprise(
            "Playing first does not pay: at a table of four the eldest loses {a:.1f} chips in a deal, and the "
            "dealer, who plays last, wins {b:.1f}.",
            {"a": "-presets/denexa/places/0", "b": "presets/denexa/places/3"},
            (
                "a > 0",
                "b > 0",
            ),
        ),
        Surprise(
            "It depends on the number of seats: with three players the eldest wins {a:.1f} chips in a deal, with "
            "two it loses {b:.1f}.",
            {"a": "seats/seats/3/figures/eldest", "b": "-seats/seats/2/figures/eldest"},
            (
                "a > 0",
                "b > 0",
            ),
        ),
        Surprise(
            "If any number of cards may be laid in a turn, a deal is {a:.0f} moves shorter, and the share of the "
            "player in its result is {b:.0f} percentage points smaller.",
            {
                "a": "-rules/plays_per_turn/values/any/length",
                "b": "-skill of rules/plays_per_turn/values/any",
            },
            (
                "a > 5",
                "b > 5",
            ),
        ),
    ),
    "michigan": (
        Surprise(
            "Michigan's dealer wins {a:.1f} chips in a deal; if the widow is dead, the eldest gets {b:.2f} more.",
            {"a": "presets/michigan/places/3", "b": "rules/widow/values/dead/eldest"},
            (
                "a > 0",
                "b > 0",
            ),
        ),
        Surprise(
            "Pope Joan's dealer, who dresses the board alone, loses {a:.1f} chips in a deal; the eldest wins {b:.1f}.",
            {"a": "-presets/pope-joan/places/3", "b": "presets/pope-joan/places/0"},
            (
                "a > 10",
                "b > 4",
            ),
        ),
        Surprise(
            "In Boodle only {a:.1%} of the variance is the player, in Michigan {b:.1%}.",
            {"a": "skill/boodle/player", "b": "skill/michigan/player"},
            ("a < b",),
        ),
    ),
    "oh-hell": (
        Surprise(
            "The dealer, who bids last and may not let the bids fit the tricks, loses {a:.1f} points in a deal of "
            "four.",
            {"a": "-presets/oh-hell/places/3"},
            ("a > 3",),
        ),
        Surprise(
            "More players make more skill: the player's share is {a:.0%} with three and {b:.0%} with seven.",
            {"a": "seats/seats/3/skill/player", "b": "seats/seats/7/skill/player"},
            ("a < b",),
        ),
        Surprise(
            "Without the dealer's rule more deals have no winner, {a:.1%} more of them, and the eldest gets "
            "{b:.1f} points less.",
            {"a": "rules/dealer_rule/values/off/void", "b": "-rules/dealer_rule/values/off/eldest"},
            (
                "a > 0",
                "b > 0",
            ),
        ),
    ),
    "play-or-pay": (
        Surprise(
            "The eldest wins {a:.1f} chips in a deal under the Stops rules and {b:.1f} under the original ones; "
            "every other place loses.",
            {
                "a": "presets/stops/places/0",
                "b": "presets/original/places/0",
                "c": "-presets/stops/places/3",
                "d": "-presets/original/places/1",
            },
            (
                "a > 0",
                "b > 0",
                "c > 0",
                "d > 0",
            ),
        ),
        Surprise(
            "Laying a whole run in one turn makes the game fairer: without it the eldest gets {a:.1f} chips more, "
            "and there are {b:.0f} more passes.",
            {"a": "rules/continue_run/values/no/eldest", "b": "rules/continue_run/values/no/passes"},
            (
                "a > 0",
                "b > 0",
            ),
        ),
        Surprise(
            "Doubling the ante helps the eldest by {a:.2f} chips only: it wins more often than its turn.",
            {"a": "rules/ante/values/2/eldest"},
            ("a > 0",),
        ),
    ),
    "cassino": (
        Surprise(
            "The non-dealer, who plays first, scores {a:.1f} points more than the dealer.",
            {"a": "presets/cassino/places/0"},
            ("a > 0.5",),
        ),
        Surprise(
            "*Medium* never builds jacks, queens or kings, so whether that is allowed changes nothing between such "
            "bots.",
            {"a": "rules/face_builds/values/off/eldest", "b": "rules/face_builds/values/off/spread"},
            (
                "a = 0",
                "b = 0",
            ),
        ),
        Surprise(
            "Raising builds takes {a:.2f} points from the player who begins.",
            {"a": "-rules/raise_builds/values/single/eldest"},
            ("a > 0",),
        ),
    ),
    "scopa": (
        Surprise(
            "The player who begins scores only {a:.2f} points more than the dealer.",
            {"a": "presets/scopa/places/0"},
            (
                "a > 0",
                "a < 0.3",
            ),
        ),
        Surprise(
            "The misdeal with three or four kings on the table makes no difference that these deals show: "
            "{a:+.4f} points.",
            {"a": "rules/king_misdeal/values/off/eldest"},
            (
                "a < 0.01",
                "a > -0.01",
            ),
        ),
        Surprise(
            "With partners one player counts for less: the share is {a:.1%} with two and {b:.1%} with four.",
            {"a": "seats/seats/2/skill/player", "b": "seats/seats/4/skill/player"},
            ("b < a",),
        ),
    ),
    "thirty-one": (
        Surprise(
            "The dealer, who acts last, loses most: {a:.2f} markers in a deal, and the eldest {b:.2f}.",
            {"a": "-presets/thirty-one/places/3", "b": "-presets/thirty-one/places/0"},
            ("a > b",),
        ),
        Surprise(
            "Forbidding to knock in the first round lengthens a deal by {a:.1f} moves only.",
            {"a": "rules/first_round_knock/values/forbidden/length"},
            (
                "a > 0",
                "a < 3",
            ),
        ),
        Surprise(
            "Counting the best suit in place of the pair changes the length by {a:+.2f} moves, which may be chance.",
            {"a": "rules/odd_card/values/best_suit/length"},
            (
                "a < 0.2",
                "a > -0.2",
            ),
        ),
    ),
    "crazy-eights": (
        Surprise(
            "The eldest wins {a:.1%} of the deals of four, the dealer {b:.1%}.",
            {"a": "presets/denexa/places/0", "b": "presets/denexa/places/3"},
            ("a > b",),
        ),
        Surprise(
            "One joker in the pack shortens a deal by {a:.0f} moves, two by {b:.0f}.",
            {"a": "-rules/jokers/values/1/length", "b": "-rules/jokers/values/2/length"},
            (
                "a > 10",
                "b > a",
            ),
        ),
        Surprise(
            "Starting with five cards in place of eight saves {a:.0f} of {b:.0f} moves.",
            {"a": "-rules/hand_size/values/5/length", "b": "presets/denexa/figures/length"},
            ("a > 10",),
        ),
    ),
    "busca": (
        Surprise(
            "The seat that leads first does worst: the eldest takes {a:.2f} points of penalty in a deal, the next "
            "seat {b:.2f}.",
            {"a": "-presets/busca/places/0", "b": "-presets/busca/places/1"},
            ("a > b",),
        ),
        Surprise(
            "*Medium* does not look at the score, so the score at which the match ends changes the eldest's payoff in "
            "a deal by chance only: by {a:+.3f} at 21 and {b:+.3f} at 41.",
            {"a": "rules/limit/values/21/eldest", "b": "rules/limit/values/41/eldest"},
            (
                "a < 0.1",
                "a > -0.1",
                "b < 0.1",
                "b > -0.1",
            ),
        ),
        Surprise(
            "A cappotto decides few deals: without it {a:.1%} more of them have no winner.",
            {"a": "rules/cappotto/values/off/void"},
            (
                "a > 0",
                "a < 0.02",
            ),
        ),
    ),
    "five-or-nine": (
        Surprise(
            "With a choice of the founding rank, the eldest still loses {a:.2f} chips in a deal of four.",
            {"a": "-presets/five-or-nine/places/0"},
            ("a > 0",),
        ),
        Surprise(
            "With three players it wins {a:.1f} chips instead.",
            {"a": "seats/seats/3/figures/eldest"},
            ("a > 0",),
        ),
        Surprise(
            "A pass that costs nothing gives the eldest {a:.2f} chips.",
            {"a": "rules/pass_chip/values/0/eldest"},
            ("a > 0",),
        ),
    ),
    "domino-fan-tan": (
        Surprise(
            "Here playing first pays: {a:.1f} chips in a deal for two.",
            {"a": "presets/domino-fan-tan/places/0"},
            ("a > 0",),
        ),
        Surprise(
            "A free pass takes {a:.2f} chips from the player who begins, but a free draw makes no difference that "
            "these deals show ({b:+.2f}).",
            {"a": "-rules/pass_chip/values/0/eldest", "b": "rules/draw_chip/values/0/eldest"},
            (
                "a > 0",
                "b < 0.3",
                "b > -0.3",
            ),
        ),
        Surprise(
            "A deal for chips spreads {a:.0f} chips wider than one for nothing.",
            {"a": "-rules/stakes/values/none/spread"},
            ("a > 20",),
        ),
    ),
    "i-doubt-it": (
        Surprise(
            "The eldest wins {a:.1%} of the deals of four, the dealer {b:.1%}.",
            {"a": "presets/doubt/places/0", "b": "presets/doubt/places/3"},
            ("a > b",),
        ),
        Surprise(
            "One card at a time makes a deal {a:.0f} moves longer, and {b:.1%} of them end without a winner.",
            {"a": "rules/max_set/values/1/length", "b": "rules/max_set/values/1/void"},
            (
                "a > 500",
                "b > 0",
            ),
        ),
        Surprise(
            "*Medium* doubts every last set, so turning it up only on demand changes no winner between such bots: it "
            "costs {a:.1f} moves.",
            {"a": "rules/final_challenge/values/optional/length", "b": "rules/final_challenge/values/optional/eldest"},
            (
                "b = 0",
                "a > 0",
            ),
        ),
    ),
    "pirate": (
        Surprise(
            "LOW and HIGH are alike: LOW's mean is {a:+.3f} of a game.",
            {"a": "presets/pirate/places/0"},
            (
                "a < 0.1",
                "a > -0.1",
            ),
        ),
        Surprise(
            "Between equal bots {a:.0%} of the games are drawn.",
            {"a": "presets/pirate/figures/void"},
            ("a > 0.05",),
        ),
        Surprise(
            "More than half of the ships in place of five decides no game otherwise: it saves {a:.1f} moves.",
            {"a": "-rules/target/values/majority/length", "b": "rules/target/values/majority/eldest"},
            (
                "a > 0",
                "b = 0",
            ),
        ),
    ),
    "spider": (
        Surprise(
            "In {n:.0f} four-suit deals the rule of thumb removes no run; with two suits it removes {a:.1f} in a deal, "
            "with one {b:.1f}.",
            {
                "n": "presets/four-suits/deals",
                "c": "presets/four-suits/places/0",
                "a": "presets/two-suits/places/0",
                "b": "presets/one-suit/places/0",
            },
            (
                "c = 0",
                "b > a",
            ),
        ),
        Surprise(
            "Though it removes more than half of the eight runs with one suit, it leaves {a:.0%} of these deals unwon.",
            {"a": "presets/one-suit/figures/void", "b": "presets/one-suit/places/0"},
            (
                "a > 0.5",
                "b > 4",
            ),
        ),
        Surprise(
            "In the same two-suit deals a player that plans removes {a:.1f} runs more than the rule of thumb, which "
            "wins none of them; it wins all but {b:.0%}.",
            {
                "a": "stronger/two-suits/effects/eldest",
                "b": "stronger/two-suits/figures/void",
                "c": "stronger/two-suits/simple/void",
            },
            (
                "a > 0",
                "b < c",
                "c = 1",
            ),
        ),
    ),
}
