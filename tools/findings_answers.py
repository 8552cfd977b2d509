"""Writes the page of questions from the answers that are kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from findings_pages import MADE, about, fairest, lead, number, percent, table, white

from cardtable.picture.figures import Bar, intervals
from cardtable.rules import catalog

Data = Mapping[str, Any]
BY_HAND = "`python tools/findings.py questions` counts this."


def page(kept: Data, every: Mapping[str, Data]) -> str:
    """The page of questions."""
    parts = [
        f"# Questions\n\n{MADE}\n\nSeed `{kept['seed']}`; *medium* bots. `±` is half of a 95 % interval.\n",
        _players(every),
        _stakes(kept["stakes"]),
        _passes(kept["passes"]),
        _widow(kept["widow"]),
        _boodle(kept["boodle"]),
        _bids(kept["bids"]),
        _openings(kept),
        _pirate(kept["pirate"]),
    ]
    return "\n".join(parts)


def _command(*asked: Data) -> str:
    return "```console\n" + "\n".join("$ " + each["command"] for each in asked) + "\n```\n"


def _players(every: Mapping[str, Data]) -> str:
    rows = []
    for game, kept in every.items():
        if not kept["seats"]:
            continue
        fair, skilled = fairest(kept)
        seats = kept["seats"]["seats"]
        leaning = seats[str(fair)]["figures"]["eldest"]
        first = next(iter(kept["presets"]))
        best = catalog.find(game).options.best_seats.get(first)
        rows.append(
            [
                f"[{kept['title']}](games/{game}.md)",
                f"{min(map(int, seats))} to {max(map(int, seats))}",
                f"{best[0]} to {best[1]}" if best and best[0] < best[1] else str(best[0]) if best else "–",
                f"{fair} ({number(lead(seats[str(fair)]) / (leaning['deviation'] or 1.0), True)})",
                f"{skilled} ({percent(seats[str(skilled)]['skill']['player']['share'])})",
            ]
        )
    heads = ["game", "players", "the source's best", "fairest seats", "most skill"]
    return (
        "## What is the best number of players?\n\nFairest: with how many the eldest's payoff is nearest to the "
        "average (in brackets: how much more it is, in standard deviations of a deal). Most skill: with how many the "
        "player's share is largest (in brackets). The pages of the games have all numbers.\n\n" + table(heads, rows)
    )


def _stakes(kept: Data) -> str:
    rows = [
        [name, *(about(place, True) for place in each["places"]), percent(each["won"]), number(each["extra"], True)]
        for name, each in kept.items()
    ]
    heads = ["rules", "eldest", "place 2", "place 3", "dealer", "eldest wins", "extra ante"]
    return (
        "## Are the stakes fair?\n\nA stake is fair if no place pays for where it sits. The mean payoff by place at a "
        "table of four, the share of deals that the eldest wins, and the extra ante of the eldest that would make up "
        "for its place if the winner gets it: negative, the others should put in more.\n\n"
        f"{table(heads, rows)}\nThe dealer changes from deal to deal, so over whole rounds every place pays alike; a "
        "match that ends in the middle of a round does not.\n\n" + _command(*kept.values())
    )


def _passes(kept: Data) -> str:
    rows = [
        [
            title,
            str(each["seats"]),
            about(each["passes"]),
            percent(each["share"]["mean"]),
            percent(each["still"]["mean"]),
            about(each["cost"], True),
        ]
        for title, each in kept["rules"].items()
    ]
    heads = ["rules", "seats", "passes of a seat", "of all moves", "deals in which nobody moves", "a pass more"]
    count = next(iter(kept["rules"].values()))["deals"]
    return (
        f"## What does a pass cost, and how often does nobody move?\n\n{count:,} deals each. *Nobody moves*: all seats "
        "pass, one after the other, at least once in the deal; in Domino Fan-Tan a draw counts as a pass. *A pass "
        "more*: how much more a seat gets in a deal for each pass that it makes more than the others (below zero: "
        "less), by a regression within deals. That is what passes go along with, not only what they cause: a hand "
        "that has to pass is a poor one in other ways, too.\n\n"
        f"{table(heads, rows)}\nWhere all cards are dealt and whoever can play must, somebody always can, so 0 is "
        "exact. What is paid for a pass is a house rule in some games; the page of each game says what it alone "
        f"changes. {BY_HAND}\n"
    )


def _widow(kept: Data) -> str:
    rows = [
        [name, *(about(kept[key][f"payoff_{p}"], True) for p in range(4))]
        for name, key in (("the dealer may exchange", "exchange"), ("then an auction in place of none", "auction"))
    ]
    hands = kept["hands"]
    counts = sorted({int(n) for who in ("dealer", "eldest") for n in hands[who]})
    by_hand = [
        [str(n), *(about(hands[who][str(n)], True) if str(n) in hands[who] else "–" for who in ("dealer", "eldest"))]
        for n in counts
    ]
    return (
        "## What is Michigan's widow worth?\n\nHow many chips a place gets more in the same deals, at a table of four. "
        "The dealer exchanges, and the others bid, by the rule of thumb.\n\n"
        f"{table(['rule', 'eldest', 'place 2', 'place 3', 'dealer'], rows)}\n"
        f"{_command(kept['exchange'], kept['auction'])}\n"
        f"By hand: {hands['deals']:,} deals were played out twice, once with the widow for the seat and once with the "
        "widow for nobody. The difference by the number of tens, court cards and aces in the hand (all money cards are "
        "among them), before any bid is paid:\n\n"
        f"{table(['high cards', 'worth to the dealer', 'worth to the eldest'], by_hand)}\n{BY_HAND}\n"
    )


def _boodle(kept: Data) -> str:
    rows = [[f"all four on `{card}`", about(each, True)] for card, each in kept["cards"].items()]
    return (
        "## Where do Boodle's four chips belong?\n\nWhat the eldest gets more if it puts all four on one money card, "
        f"while everybody else puts one on each, than if it did the same; {kept['deals']:,} deals at a table of four. "
        "The chips are staked before the cards are dealt, so where they lie matters only to a seat that can "
        "steer the play.\n\n"
        f"{table(['stake', 'eldest'], rows)}\n{BY_HAND}\n"
    )


def _bids(kept: Data) -> str:
    by_bid = [[bid, f"{each['deals']:,}", about(each), percent(each["made"])] for bid, each in kept["bids"].items()]
    by_size = [[each, percent(found["made"]), about(found["off"], True)] for each, found in kept["sizes"].items()]
    return (
        "## How good are the bids of Oh Hell!?\n\nWell calibrated bids would make as many tricks as they say, on "
        f"average. {kept['matches']} matches at a table of four.\n\n![Tricks by bid](pictures/bids.svg)\n\n"
        f"{table(['bid', 'hands', 'tricks', 'made exactly'], by_bid)}\n"
        f"{table(['cards in hand', 'made exactly', 'tricks more than bid'], by_size)}\n"
        "The dealer's rule keeps the sum of the bids above the tricks, so not all can be made; and the bot bids for "
        f"the highest expected score, not for the mean. {BY_HAND}\n"
    )


def bids_picture(kept: Data) -> str:
    """The tricks that each bid makes."""
    bars = [Bar(f"bid {bid}", each["mean"], each["low"], each["high"]) for bid, each in kept["bids"]["bids"].items()]
    return white(intervals(bars, "Oh Hell!: the mean number of tricks by bid"))


def _openings(kept: Data) -> str:
    parts = ["## Which opening hands win at Cassino and Scopa?\n"]
    for game, cards in (("cassino", "four"), ("scopa", "three")):
        found = kept[game]
        rows = sorted(found["cards"].items(), key=lambda row: -row[1]["difference"])
        named = [(f"`{card}`" if len(card) == 2 else f"any {card}", each) for card, each in rows]
        parts.append(
            f"**{catalog.find(game).title}**: how many points more, over the opponent's, a player makes in the deal "
            f"who has such a card among the first {cards} than one who has none ({found['deals']:,} deals for two, "
            "both hands, the place's own advantage taken off).\n\n"
            + table(["holds", "points", "hands"], [[name, about(e, True), f"{e['hands']:,}"] for name, e in named])
        )
    return "\n".join([*parts, BY_HAND + "\n"])


def _pirate(kept: Data) -> str:
    rows = [
        [f"`target={target}`", about(each["eldest"], True), percent(each["void"]["mean"]), about(each["length"])]
        for target, each in kept["targets"].items()
    ]
    return (
        "## Who wins at Pirate, HIGH or LOW?\n\nLOW builds upwards from the ace, HIGH downwards from the king; a win "
        "counts 1, a loss -1. The game is symmetric but for the ace's place in the cut, so LOW's mean should be 0 when "
        "both sides play the same way.\n\n"
        f"{table(['rule', 'LOW', 'drawn', 'moves'], rows)}\n{_command(kept)}"
    )
