"""The pages and pictures of the book of numbers, from the figures that are kept and the words of texts.md."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cardtable.lab.intervals import around, p_value
from cardtable.lab.luck import GROUPS
from cardtable.lab.study import effects
from cardtable.lab.study.effects import Effect
from cardtable.picture.figures import Bar, intervals
from cardtable.rules import catalog
from findings import plan
from findings.surprises import SURPRISES, sentence

Data = Mapping[str, Any]
HEADS = {"eldest": "eldest's payoff", "length": "moves", "passes": "passes", "void": "nobody wins"}
HEADS |= {"spread": "spread", "skill": "player's share"}
ALONE = HEADS | {"eldest": "score"}  #: of a game for one
SKILL_HEADS = ("rules", "players", "cards", "seat", "player", "both", "difference", "deals apart", "same cards")
RULE_HEADS = ("game", "house rule", "from → to", "player's share")
MOST = 20  #: house rules in the table of those that change skill most
MADE = "<!-- Written by tools/findings.py from docs/findings/data: change these, not this page. -->"


@functools.cache
def _texts() -> dict[str, str]:
    parts = re.split(r"<!-- (.+) -->\n", Path(__file__).with_name("texts.md").read_text("utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def text(name: str, **figures: Any) -> str:
    """A part of texts.md with its figures."""
    return _texts()[name].format(made=MADE, **figures).rstrip("\n") + "\n"


def number(x: float | None, signed: bool = False) -> str:
    """Three digits, as people read them: 1,234, 27.3, 0.0123."""
    if x is None:
        return "–"
    if x == 0.0:
        return "0"
    digits = max(0, min(6, 2 - math.floor(math.log10(abs(x)))))
    told = f"{x:+,.{digits}f}" if signed else f"{x:,.{digits}f}"
    return told.rstrip("0").rstrip(".") if "." in told else told


def percent(x: float | None) -> str:
    """A share."""
    return "–" if x is None else f"{number(100.0 * x)} %"


def about(each: Data, signed: bool = False) -> str:
    """A mean or a difference with half of its interval, if it has one: 1.23 ± 0.04."""
    middle = each["mean"] if "mean" in each else each["difference"]
    reach = (each["high"] - each["low"]) / 2.0 if each["low"] is not None else 0.0
    if not reach:
        return number(middle, signed)
    digits = max(0, min(6, 1 - math.floor(math.log10(reach))))
    return f"{middle:{'+' if signed else ''},.{digits}f} ± {reach:,.{digits}f}"


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines) + "\n"


def listed(words: Sequence[str]) -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def shell(commands: Iterable[str]) -> str:
    """Commands as lines of a console."""
    return "\n".join("$ " + command for command in commands)


def white(svg: str) -> str:
    """A picture on white, which is legible on dark pages, too."""
    return svg.replace("</style>", '</style><rect width="100%" height="100%" fill="#fff"/>', 1) + "\n"


# A game


def page(kept: Data) -> str:
    """The page of a game."""
    rules = [_deals, _places, _payoffs, _rules, _seats, _skill, _stronger, _commands]
    return "\n".join(filter(None, [_opening(kept), _surprises(kept), *(part(kept) for part in rules)]))


def _heads(kept: Data) -> Mapping[str, str]:
    return ALONE if all(each["seats"] == 1 for each in kept["presets"].values()) else HEADS


def _first(kept: Data) -> Data:
    found: Data = next(iter(kept["presets"].values()))
    return found


def _opening(kept: Data) -> str:
    return text("game opening", **{**kept, "deals": _first(kept)["deals"]})


def _surprises(kept: Data) -> str:
    told = [f"{k}. {sentence(each, kept)}" for k, each in enumerate(SURPRISES.get(kept["game"], ()), 1)]
    return text("game surprises", told="\n".join(told)) if told else ""


def _deals(kept: Data) -> str:
    heads = ["rules", "seats", "moves", "with a choice", "moves to choose from", "passes", "nobody wins", "spread"]
    rows = []
    for each in kept["presets"].values():
        f, choice = each["figures"], each["choices"]
        told = [about(f["length"]), percent(choice["share"]), number(choice["among"])]
        told += [about(f["passes"]), percent(f["void"]["mean"]), about(f["spread"])]
        rows.append([each["title"], str(each["seats"]), *told])
    return text("game deals", table=table(heads, rows), looked=_first(kept)["choices"]["deals"])


def _places(kept: Data) -> str:
    every = kept["presets"].values()
    most = max(each["seats"] for each in every)
    if most == 1:
        rows = [[each["title"], about(each["places"][0])] for each in every]
        return text("game score", table=table(["rules", "score"], rows))
    heads = ["rules", "eldest", *(f"place {k + 1}" for k in range(1, most - 1)), "dealer"]
    rows = [[each["title"], *(about(place, True) for place in each["places"])] for each in every]
    return text("game places", table=table(heads, rows))


def _payoffs(kept: Data) -> str:
    heads = ["rules", "lowest", "5 %", "25 %", "median", "75 %", "95 %", "highest", "above 0"]
    rows = []
    for each in kept["presets"].values():
        paid = each["payoffs"]
        told = map(number, (paid["lowest"], *paid["shares"].values(), paid["highest"]))
        rows.append([each["title"], *told, percent(paid["above"])])
    return text("game payoffs", table=table(heads, rows))


# House rules


def compared(kept: Data) -> list[tuple[str, Data, Effect]]:
    """Every effect of a game's house rules (option, its study, effect), adjusted as one family by Holm's procedure."""
    found: list[tuple[str, Data]] = []
    every: list[Effect] = []
    for option, each in kept["rules"].items():
        for value in each.get("values", {}):
            for measure, e in effects_of(kept, option, value).items():
                difference, error = e["difference"], e["error"] or 0.0
                clusters = GROUPS if measure == "skill" else e["matches"]
                alone = around(difference, error, clusters)
                saved = e.get("standardised", 0.0), e.get("saving") or math.inf, p_value(difference, error, clusters)
                interval = difference, alone.low, alone.high, error
                found.append((option, each))
                every.append(Effect(each["base"], value, measure, *interval, *saved, each["deals"], clusters))
    return [(*where, e) for where, e in zip(found, effects.adjusted(every), strict=True)]


def effects_of(kept: Data, option: str, value: str) -> Data:
    """The effects of a value by measure, that on the player's share among them."""
    skill = kept["skill of rules"].get(option, {"values": {}})["values"]
    return dict(kept["rules"][option]["values"][value]) | ({"skill": skill[value]} if value in skill else {})


def change(e: Effect) -> str:
    """The two values; cards in capital letters."""
    return " → ".join(both(e))


def both(e: Effect) -> tuple[str, str]:
    """The two values."""
    return (e.a.upper(), e.b.upper()) if re.match(r"[2-9atjqk][shdc]\d* ", e.a) else (e.a, e.b)


def _under(each: Data, first: str, bots: str = "") -> str:
    """Under which other rules, seats and bots an option was studied, if these are not the usual ones."""
    words = [] if each["rules"] == first else [each["rules"]]
    words += [f"{name}={value}" for name, value in each["given"].items()]
    words += [f"{each['seats']} seats"] if "--seats" in each["command"] else []
    words += [f"{bots or each['bots']} bots"] if (bots or each["bots"]) != "simple" else []
    return f" ({', '.join(words)})" if words else ""


def _rules(kept: Data) -> str:
    heads, first = _heads(kept), next(iter(kept["presets"]))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for option, each, e in compared(kept):
        told = "0" if not e.error and not e.difference else about(effects_of(kept, option, e.b)[e.measure], True)
        row = rows.setdefault((option, e.b), {"name": f"`{option}`{_under(each, first)}", "change": change(e)})
        row[e.measure] = f"**{told}**" if e.p < 0.05 and told != "0" else told
    moved = {name: [m for m in plan.SHOWN if row.get(m, "0") != "0"] for name, row in rows.items()}
    shown = [measure for measure in plan.SHOWN if any(measure in measures for measures in moved.values())]
    moving = [[row["name"], row["change"], *(row.get(m, "–") for m in shown)] for n, row in rows.items() if moved[n]]
    parts = ["## What each house rule does\n"]
    if moving:
        told = table(["house rule", "from → to", *(heads[m] for m in shown)], moving)
        parts.append(text("game rules", what=heads["eldest"], game=kept["game"], table=told))
        parts += [_share_of_rules(kept)] if "skill" in shown else []
    still: dict[str, list[str]] = {}
    for option, value in (name for name in rows if not moved[name]):
        still.setdefault(option, []).append(value)
    if still:
        told = listed([f"`{option}` = {' or '.join(values)}" for option, values in still.items()])
        parts.append(f"These change none of the figures, to the last chip: {told}.\n")
    left = [f"`{option}` ({each['left out']})" for option, each in kept["rules"].items() if "left out" in each]
    left += [f"`{label}` ({why})" for each in kept["rules"].values() for label, why in each.get("refused", {}).items()]
    parts += ["Not measured: " + "; ".join(left) + ".\n"] if left else []
    return "\n".join(parts)


def _share_of_rules(kept: Data) -> str:
    """What the column of the player's share says, and which rule moves it most."""
    most = ""
    if found := skilful(kept):
        option, each, e = found[0]
        share = kept["skill of rules"][option]["share"]["share"]
        a, b = both(e)
        most = (
            f" `{option}`{_under(each, next(iter(kept['presets'])), 'simple')} moves it most: the share is "
            f"{number(share)} % with *{a}* and {number(max(0.0, share + e.difference))} % with *{b}*."
        )
    return text("game share", many=max(each["deals"] for each in kept["skill of rules"].values()), most=most)


def skilful(kept: Data) -> list[tuple[str, Data, Effect]]:
    """The clear effects of house rules on the player's share, the largest first."""
    found = [each for each in compared(kept) if each[2].measure == "skill" and each[2].p < 0.05 and each[2].difference]
    return sorted(found, key=lambda each: -abs(each[2].difference))


def picture(kept: Data) -> str:
    """The effects of a game's house rules on the eldest's payoff; on the length, if nothing else moves. Its intervals
    hold all together.
    """
    found = compared(kept)
    for measure in plan.MEASURES:
        mine = [(option, e) for option, _, e in found if e.measure == measure and (e.error or e.difference)]
        if mine:
            break
    bars = [Bar(f"{option}: {change(e)}"[:44], e.difference, e.low, e.high, open=not e.clear) for option, e in mine]
    return white(intervals(bars, f"{kept['title']}: effects of house rules on the {_heads(kept)[measure]}"))


# Seats and players


def lead(each: Data) -> float:
    """How much more the eldest gets than the average seat, for a number of seats, in standard deviations of a deal."""
    eldest = each["figures"]["eldest"]
    return (float(eldest["mean"]) - float(each["average"])) / (float(eldest["deviation"]) or 1.0)


def fairest(kept: Data) -> tuple[str, str]:
    """The numbers of seats with the smallest advantage or disadvantage of the eldest over the average seat, and with
    the largest share of the player.
    """
    every = kept["seats"]["seats"]
    skilled = max(every, key=lambda n: every[n]["skill"]["player"]["share"])
    return min(every, key=lambda n: abs(lead(every[n]))), skilled


def _seats(kept: Data) -> str:
    if not kept["seats"]:
        return ""
    heads = ["seats", "moves", "eldest's payoff", "nobody wins", "spread", "cards", "seat", "player", "deals"]
    rows = []
    for n, each in kept["seats"]["seats"].items():
        f, skill = each["figures"], each["skill"]
        told = [about(f["length"]), about(f["eldest"], True), percent(f["void"]["mean"]), about(f["spread"])]
        told += [percent(skill[part]["share"]) for part in ("cards", "seat", "player")]
        rows.append([n, *told, number(skill["duplicate"])])
    fair, skilled = fairest(kept)
    return text("game seats", table=table(heads, rows), fair=fair, skilled=skilled)


def _skill(kept: Data) -> str:
    rows = [skill_row(each["title"], kept["skill"][rules]) for rules, each in kept["presets"].items()]
    rows += [skill_row(_first(kept)["title"], kept["stronger skill"])] if kept["stronger skill"] else []
    return text("game skill", table=table(SKILL_HEADS, rows))


def skill_row(title: str, skill: Data) -> list[str]:
    """A row of the tables on skill."""
    players = f"{word(skill['strong'])} against {word(skill['weak'])}"
    shares = (share(skill[part]) for part in ("cards", "seat", "player", "both"))
    apart = about(skill["difference"], True), number(skill["apart"]), number(skill["duplicate"])
    return [title, players, *shares, *apart]


def share(each: Data) -> str:
    """A share with half of its interval."""
    if each["low"] is None or each["low"] == each["high"]:
        return f"{100 * each['share']:.1f} %"
    reach = 50 * (each["high"] - each["low"])
    return f"{100 * each['share']:.1f} ± {f'{reach:.1f}' if reach >= 0.05 else '<0.1'} %"


def word(level: str) -> str:
    """What people call a level: `hard:1000` is `search:1000`."""
    return "medium" if level == "simple" else level.replace("search", "hard")


def _stronger(kept: Data) -> str:
    if not any(kept["stronger"].values()):
        return text("game medium alone")
    heads, rows = _heads(kept), []
    thinking = plan.thinking_of(kept["game"])
    few = "" if thinking == plan.THINKING else " With so few iterations they may be no stronger than *medium* ones."
    for rules, each in kept["stronger"].items():
        moved = [f"{about(each['figures'][m])} ({about(each['effects'][m], True)})" for m in plan.MEASURES]
        rows.append([kept["presets"][rules]["title"], f"{each['deals']:,}", *moved])
    told = table(["rules", "deals", *(heads[m] for m in plan.MEASURES)], rows)
    return text("game stronger", players=word(thinking), few=few, table=told)


def _commands(kept: Data) -> str:
    made = [*kept["presets"].values(), *kept["rules"].values(), kept["seats"], *kept["skill"].values()]
    made += [kept["stronger skill"], *kept["stronger"].values()]
    commands = dict.fromkeys(each["command"] for each in made if "command" in each)
    return text("game commands", game=kept["game"], commands=shell(commands))


# The book


def skill_page(every: Mapping[str, Data]) -> str:
    """Skill and luck of all presets."""
    rows = [(kept["presets"][rules]["title"], each) for kept in every.values() for rules, each in kept["skill"].items()]
    stronger = [(_first(kept)["title"], kept["stronger skill"]) for kept in every.values() if kept["stronger skill"]]
    for found in (rows, stronger):
        found.sort(key=lambda row: -row[1]["player"]["share"])
    rules = [(kept, *each) for kept in every.values() for each in skilful(kept)]
    rules.sort(key=lambda row: -abs(row[3].difference))
    return text(
        "skill",
        table=table(SKILL_HEADS, (skill_row(*row) for row in rows)),
        stronger=table(SKILL_HEADS, (skill_row(*row) for row in stronger)),
        rules=table(RULE_HEADS, (_rule_row(*row) for row in rules[:MOST])),
        most=MOST,
        commands=shell(skill["command"] for _, skill in [*rows, *stronger]),
    )


def _rule_row(kept: Data, option: str, each: Data, e: Effect) -> list[str]:
    told = kept["skill of rules"][option]["values"][e.b]
    name = f"`{option}`{_under(each, next(iter(kept['presets'])), 'simple')}"
    return [f"[{kept['title']}](games/{kept['game']}.md)", name, change(e), about(told, True)]


def skill_picture(every: Mapping[str, Data]) -> str:
    """The share of the player in all presets."""
    bars = []
    for kept in every.values():
        for rules, skill in kept["skill"].items():
            part = (100 * skill["player"][x] for x in ("share", "low", "high"))
            bars.append(Bar(kept["presets"][rules]["title"], *part))
    bars.sort(key=lambda bar: -bar.middle)
    return white(intervals(bars, "The share of the player in the variance of a deal, medium against random, in %"))


def first_page(every: Mapping[str, Data]) -> str:
    """The first page of the book."""
    rows = []
    for game, kept in every.items():
        for rules, each in kept["presets"].items():
            f = each["figures"]
            told = [about(f["length"]), about(f["eldest"], True), number(f["eldest"]["deviation"])]
            told.append(percent(kept["skill"][rules]["player"]["share"]))
            rows.append([f"[{each['title']}](games/{game}.md)", str(each["seats"]), *told])
    heads = ["rules", "seats", "moves", "eldest's payoff", "deviation", "player"]
    missing = [game.title for name, game in catalog.games().items() if name not in every]
    return text(
        "book",
        table=table(heads, rows),
        pages="\n".join(f"games/{game}" for game in every),
        missing=f"\nNot measured yet: {', '.join(missing)}.\n" if missing else "",
    )
