"""The page of questions, from the answers that are kept and the words of texts.md."""

from __future__ import annotations

from collections.abc import Mapping

from cardtable.picture.figures import Bar, intervals
from cardtable.rules import catalog
from findings.pages import Data, about, fairest, lead, number, percent, shell, table, text, white

BY_HAND = "`python tools/findings.py questions` counts this."
PLACES = ("eldest", "place 2", "place 3", "dealer")


def page(kept: Data, every: Mapping[str, Data]) -> str:
    """The page of questions."""
    parts = [text("questions opening", seed=kept["seed"]), _players(every), _stakes(kept["stakes"])]
    parts += [_passes(kept["passes"]), _widow(kept["widow"]), _boodle(kept["boodle"]), _bids(kept["bids"])]
    return "\n".join([*parts, _openings(kept), _pirate(kept["pirate"])])


def _command(*asked: Data) -> str:
    return f"```console\n{shell(each['command'] for each in asked)}\n```\n"


def _players(every: Mapping[str, Data]) -> str:
    rows = []
    for game, kept in every.items():
        if not kept["seats"]:
            continue
        fair, skilled = fairest(kept)
        seats = kept["seats"]["seats"]
        best = catalog.find(game).options.best_seats.get(next(iter(kept["presets"])))
        told = f"{best[0]} to {best[1]}" if best and best[0] < best[1] else str(best[0]) if best else "–"
        row = [f"{min(map(int, seats))} to {max(map(int, seats))}", told, f"{fair} ({number(lead(seats[fair]), True)})"]
        share = percent(seats[skilled]["skill"]["player"]["share"])
        rows.append([f"[{kept['title']}](games/{game}.md)", *row, f"{skilled} ({share})"])
    heads = ["game", "players", "the source's best", "fairest seats", "most skill"]
    return text("questions players", table=table(heads, rows))


def _stakes(kept: Data) -> str:
    rows = [
        [name, *(about(place, True) for place in each["places"]), percent(each["won"]), number(each["extra"], True)]
        for name, each in kept.items()
    ]
    heads = ["rules", *PLACES, "eldest wins", "extra ante"]
    return text("questions stakes", table=table(heads, rows), command=_command(*kept.values()))


def _passes(kept: Data) -> str:
    rows = []
    for title, each in kept["rules"].items():
        shares = (percent(each[name]["mean"]) for name in ("share", "still"))
        rows.append([title, str(each["seats"]), about(each["passes"]), *shares, about(each["cost"], True)])
    heads = ["rules", "seats", "passes of a seat", "of all moves", "deals in which nobody moves", "a pass more"]
    count = next(iter(kept["rules"].values()))["deals"]
    return text("questions passes", deals=count, table=table(heads, rows), by_hand=BY_HAND)


def _widow(kept: Data) -> str:
    rows = [
        [name, *(about(kept[key][f"payoff_{p}"], True) for p in range(4))]
        for name, key in (("the dealer may exchange", "exchange"), ("then an auction in place of none", "auction"))
    ]
    hands = kept["hands"]
    by_hand = [
        [str(n), *(about(hands[who][str(n)], True) if str(n) in hands[who] else "–" for who in ("dealer", "eldest"))]
        for n in sorted({int(n) for who in ("dealer", "eldest") for n in hands[who]})
    ]
    return text(
        "questions widow",
        table=table(["rule", *PLACES], rows),
        command=_command(kept["exchange"], kept["auction"]),
        deals=hands["deals"],
        hands=table(["high cards", "worth to the dealer", "worth to the eldest"], by_hand),
        by_hand=BY_HAND,
    )


def _boodle(kept: Data) -> str:
    rows = [[f"all four on `{card}`", about(each, True)] for card, each in kept["cards"].items()]
    return text("questions boodle", deals=kept["deals"], table=table(["stake", "eldest"], rows), by_hand=BY_HAND)


def _bids(kept: Data) -> str:
    by_bid = [[bid, f"{each['deals']:,}", about(each), percent(each["made"])] for bid, each in kept["bids"].items()]
    by_size = [[each, percent(found["made"]), about(found["off"], True)] for each, found in kept["sizes"].items()]
    return text(
        "questions bids",
        matches=kept["matches"],
        table=table(["bid", "hands", "tricks", "made exactly"], by_bid),
        sizes=table(["cards in hand", "made exactly", "tricks more than bid"], by_size),
        by_hand=BY_HAND,
    )


def bids_picture(kept: Data) -> str:
    """The tricks that each bid makes."""
    bars = [Bar(f"bid {bid}", each["mean"], each["low"], each["high"]) for bid, each in kept["bids"]["bids"].items()]
    return white(intervals(bars, "Oh Hell!: the mean number of tricks by bid"))


def _openings(kept: Data) -> str:
    parts = []
    for game, cards in (("cassino", "four"), ("scopa", "three")):
        found = sorted(kept[game]["cards"].items(), key=lambda row: -row[1]["difference"])
        rows = [
            [f"`{card}`" if len(card) == 2 else f"any {card}", about(each, True), f"{each['hands']:,}"]
            for card, each in found
        ]
        told = table(["holds", "points", "hands"], rows)
        title = catalog.find(game).title
        parts.append(text("questions opening hands", game=title, cards=cards, deals=kept[game]["deals"], table=told))
    return text("questions openings", tables="\n".join(parts), by_hand=BY_HAND)


def _pirate(kept: Data) -> str:
    rows = [
        [f"`target={target}`", about(each["eldest"], True), percent(each["void"]["mean"]), about(each["length"])]
        for target, each in kept["targets"].items()
    ]
    return text("questions pirate", table=table(["rule", "LOW", "drawn", "moves"], rows), command=_command(kept))
