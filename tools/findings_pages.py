"""Writes the pages and pictures of the book of numbers from the figures that are kept."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import findings_plan as plan
from findings_surprises import SURPRISES, sentence

from cardtable.lab.intervals import around, p_value
from cardtable.lab.luck import GROUPS
from cardtable.lab.study import effects
from cardtable.lab.study.effects import Effect
from cardtable.picture.figures import Bar, intervals
from cardtable.rules import catalog

Data = Mapping[str, Any]
HEADS = {
    "eldest": "eldest's payoff",
    "length": "moves",
    "passes": "passes",
    "void": "nobody wins",
    "spread": "spread",
    "skill": "player's share",
}
ALONE = HEADS | {"eldest": "score"}  #: of a game for one
MADE = "<!-- Written by tools/findings.py from docs/findings/data: change these, not this page. -->"


def number(x: float | None, signed: bool = False) -> str:
    """Three digits, as people read them: 1,234, 27.3, 0.0123."""
    if x is None:
        return "–"
    if x == 0.0:
        return "0"
    digits = max(0, min(6, 2 - math.floor(math.log10(abs(x)))))
    text = f"{x:+,.{digits}f}" if signed else f"{x:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


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


# A game


def page(kept: Data) -> str:
    """The page of a game."""
    game = kept["game"]
    parts = [
        f"# {kept['title']} in numbers\n\n{MADE}\n",
        _opening(kept),
        _surprises(game, kept),
        _deals(kept),
        _places(kept),
        _payoffs(kept),
        _rules(kept),
        _seats(kept),
        _skill(kept),
        _stronger(kept),
        _commands(kept),
    ]
    return "\n".join(filter(None, parts))


def _opening(kept: Data) -> str:
    rules = f"version {kept['version']} of [the rules](../../rulebook.md)"
    first = next(iter(kept["presets"].values()))
    return (
        f"Cardtable {kept['cardtable']}, {rules}, seed `{kept['seed']}`; {first['deals']:,} deals for each set of "
        "rules and for each value of a house rule, played by *medium* bots unless it is said otherwise. `±` is half of "
        "a 95 % interval. [The first page of this book](../README.md) says what these figures are, and what they are "
        "not.\n"
    )


def _surprises(game: str, kept: Data) -> str:
    told = [f"{k}. {sentence(each, kept)}" for k, each in enumerate(SURPRISES.get(game, ()), 1)]
    return "## Three surprises\n\n" + "\n".join(told) + "\n" if told else ""


def _heads(kept: Data) -> Mapping[str, str]:
    return ALONE if all(each["seats"] == 1 for each in kept["presets"].values()) else HEADS


def _deals(kept: Data) -> str:
    heads = ["rules", "seats", "moves", "with a choice", "moves to choose from", "passes", "nobody wins", "spread"]
    rows = []
    for each in kept["presets"].values():
        f, choice = each["figures"], each["choices"]
        rows.append(
            [
                each["title"],
                str(each["seats"]),
                about(f["length"]),
                percent(choice["share"]),
                number(choice["among"]),
                about(f["passes"]),
                percent(f["void"]["mean"]),
                about(f["spread"]),
            ]
        )
    looked = next(iter(kept["presets"].values()))["choices"]["deals"]
    return (
        f"## How long a deal is\n\n{table(heads, rows)}\n*With a choice*: the share of the moves for which more than "
        f"one is legal, and among how many, in the first {looked:,} deals. *Passes*: moves by "
        "which a seat does nothing; some games have draws, waits or accepted sets in their place. *Nobody wins*: "
        "the share of deals without a single winner: nobody wins, or several win alike. *Spread*: the highest payoff "
        "of a deal less the lowest.\n"
    )


def _places(kept: Data) -> str:
    most = max(each["seats"] for each in kept["presets"].values())
    if most == 1:
        rows = [[each["title"], about(each["places"][0])] for each in kept["presets"].values()]
        return f"## The score\n\n{table(['rules', 'score'], rows)}"
    names = ["eldest", *(f"place {k + 1}" for k in range(1, most - 1)), "dealer"]
    rows = [[each["title"], *(about(place, True) for place in each["places"])] for each in kept["presets"].values()]
    return (
        f"## Who has the advantage\n\nThe mean payoff of a deal by place, from the seat after the dealer (*eldest*) to "
        f"the dealer.\n\n{table(['rules', *names], rows)}"
    )


def _payoffs(kept: Data) -> str:
    heads = ["rules", "lowest", "5 %", "25 %", "median", "75 %", "95 %", "highest", "above 0"]
    rows = []
    for each in kept["presets"].values():
        paid = each["payoffs"]
        middle = (number(x) for x in paid["shares"].values())
        rows.append([each["title"], number(paid["lowest"]), *middle, number(paid["highest"]), percent(paid["above"])])
    return (
        "## What a seat gets in a deal\n\n"
        f"{table(heads, rows)}\nAll seats together. Under *5 %* stands the payoff that one seat in twenty does not "
        "exceed.\n"
    )


# House rules


def compared(kept: Data) -> list[tuple[str, Data, Effect]]:
    """Every effect of a game's house rules (option, its study, effect), adjusted as one family by Holm's procedure."""
    found: list[tuple[str, Data]] = []
    every: list[Effect] = []
    for option, each in kept["rules"].items():
        for value in each.get("values", {}):
            for measure, e in effects_of(kept, option, value).items():
                error, clusters = e["error"] or 0.0, GROUPS if measure == "skill" else e["matches"]
                alone = around(e["difference"], error, clusters)
                found.append((option, each))
                every.append(
                    Effect(
                        each["base"],
                        value,
                        measure,
                        e["difference"],
                        alone.low,
                        alone.high,
                        error,
                        e.get("standardised", 0.0),
                        e.get("saving") or math.inf,
                        p_value(e["difference"], error, clusters),
                        each["deals"],
                        clusters,
                    )
                )
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


def _under(each: Data, first: str) -> str:
    """Under which other rules, seats and bots an option was studied, if these are not the usual ones."""
    words = [] if each["rules"] == first else [each["rules"]]
    words += [f"{name}={value}" for name, value in each["given"].items()]
    words += [f"{each['seats']} seats"] if "--seats" in each["command"] else []
    words += [f"{each['bots']} bots"] if each["bots"] != "simple" else []
    return f" ({', '.join(words)})" if words else ""


def _rules(kept: Data) -> str:
    heads, first = _heads(kept), next(iter(kept["presets"]))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for option, each, e in compared(kept):
        text = "0" if not e.error and not e.difference else about(effects_of(kept, option, e.b)[e.measure], True)
        row = rows.setdefault((option, e.b), {"name": f"`{option}`{_under(each, first)}", "change": change(e)})
        row[e.measure] = f"**{text}**" if e.p < 0.05 and text != "0" else text
    shown = [measure for measure in plan.SHOWN if any(row.get(measure, "0") != "0" for row in rows.values())]
    still = [name for name, row in rows.items() if all(row.get(measure, "0") == "0" for measure in plan.SHOWN)]
    moving = [
        [row["name"], row["change"], *(row.get(m, "–") for m in shown)]
        for name, row in rows.items()
        if name not in still
    ]
    parts = ["## What each house rule does\n"]
    if moving:
        parts.append(
            f"![Effects on the {heads['eldest']}](../pictures/{kept['game']}.svg)\n\nHow much higher a figure is under "
            "the second value than under the first one, in the same deals. **Bold** effects are clear even among "
            "so many comparisons (Holm's procedure over all of this page); the others may be chance. `0`: exactly "
            "none.\n\n" + table(["house rule", "from → to", *(heads[m] for m in shown)], moving)
        )
        if "skill" in shown:
            parts.append(_share_of_rules(kept))
    if still:
        parts.append(f"These change none of the figures, to the last chip: {listed(_joined(still))}.\n")
    left = [f"`{option}` ({each['left out']})" for option, each in kept["rules"].items() if "left out" in each]
    left += [f"`{label}` ({why})" for each in kept["rules"].values() for label, why in each.get("refused", {}).items()]
    if left:
        parts.append("Not measured: " + "; ".join(left) + ".\n")
    return "\n".join(parts)


def _share_of_rules(kept: Data) -> str:
    """What the column of the player's share says, and which rule moves it most."""
    many = max(each["deals"] for each in kept["skill of rules"].values())
    text = (
        "*Player's share*: the change, in percentage points, of the share of a payoff's variance that is due to the "
        "player, *medium* in place of *random* ([skill and luck](../skill.md)), in the first deals of "
        f"{many:,} matches, whoever plays the other columns."
    )
    if found := skilful(kept):
        option, each, e = found[0]
        share = kept["skill of rules"][option]["share"]["share"]
        text += (
            f" `{option}`{_under({**each, 'bots': 'simple'}, next(iter(kept['presets'])))} moves it most: the share is "
            f"{number(share)} % with *{both(e)[0]}* and {number(max(0.0, share + e.difference))} % with *{both(e)[1]}*."
        )
    return text + "\n"


def skilful(kept: Data) -> list[tuple[str, Data, Effect]]:
    """The clear effects of house rules on the player's share, the largest first."""
    found = [each for each in compared(kept) if each[2].measure == "skill" and each[2].p < 0.05 and each[2].difference]
    return sorted(found, key=lambda each: -abs(each[2].difference))


def _joined(names: Sequence[tuple[str, str]]) -> list[str]:
    """Options with their values: `ante_rule` = flat or more_extra."""
    found: dict[str, list[str]] = {}
    for option, value in names:
        found.setdefault(option, []).append(value)
    return [f"`{option}` = {' or '.join(values)}" for option, values in found.items()]


def picture(kept: Data) -> str:
    """The effects of a game's house rules on the eldest's payoff; on the length, if nothing else moves. Its intervals
    hold all together.
    """
    heads = _heads(kept)
    found = compared(kept)
    for measure in plan.MEASURES:
        mine = [(option, e) for option, _, e in found if e.measure == measure and (e.error or e.difference)]
        if mine:
            break
    bars = [Bar(f"{option}: {change(e)}"[:44], e.difference, e.low, e.high, open=not e.clear) for option, e in mine]
    return white(intervals(bars, f"{kept['title']}: effects of house rules on the {heads[measure]}"))


def white(svg: str) -> str:
    """A picture on white, which is legible on dark pages, too."""
    return svg.replace("</style>", '</style><rect width="100%" height="100%" fill="#fff"/>', 1) + "\n"


# Seats and players


def lead(each: Data) -> float:
    """How much more the eldest gets than the average seat, for a number of seats."""
    return float(each["figures"]["eldest"]["mean"]) - float(each["average"])


def fairest(kept: Data) -> tuple[int, int]:
    """The numbers of seats with the smallest advantage or disadvantage of the eldest over the average seat, in
    deviations of a deal, and with the largest share of the player.
    """
    every = kept["seats"]["seats"]

    def leaning(n: str) -> float:
        eldest = every[n]["figures"]["eldest"]
        return abs(lead(every[n])) / (float(eldest["deviation"]) or 1.0)

    skilled = max(every, key=lambda n: every[n]["skill"]["player"]["share"])
    return int(min(every, key=leaning)), int(skilled)


def _seats(kept: Data) -> str:
    if not kept["seats"]:
        return ""
    heads = ["seats", "moves", "eldest's payoff", "nobody wins", "spread", "cards", "seat", "player", "deals"]
    rows = []
    for n, each in kept["seats"]["seats"].items():
        f, skill = each["figures"], each["skill"]
        shares = (percent(skill[part]["share"]) for part in ("cards", "seat", "player"))
        rows.append(
            [
                n,
                about(f["length"]),
                about(f["eldest"], True),
                percent(f["void"]["mean"]),
                about(f["spread"]),
                *shares,
                number(skill["duplicate"]),
            ]
        )
    fair, skilled = fairest(kept)
    return (
        f"## How many players\n\n{table(heads, rows)}\n*Cards*, *seat* and *player* are shares of the variance of a "
        "seat's payoff ([studies](../../studies.md#skill-and-luck)); the player is *medium* in place of *random*, and "
        f"*deals* says how many tell these two apart if both play the same cards. In this table {fair} players have "
        f"the fairest seats (the eldest's payoff is nearest to the average, in standard deviations), and with "
        f"{skilled} the player counts most.\n"
    )


def _skill(kept: Data) -> str:
    rows = [skill_row(each["title"], kept["skill"][rules]) for rules, each in kept["presets"].items()]
    if kept["stronger skill"]:
        rows.append(skill_row(next(iter(kept["presets"].values()))["title"], kept["stronger skill"]))
    return f"## Skill and luck\n\n{table(SKILL_HEADS, rows)}\n[Skill and luck](../skill.md) compares all games.\n"


SKILL_HEADS = ("rules", "players", "cards", "seat", "player", "both", "difference", "deals apart", "same cards")


def skill_row(title: str, skill: Data) -> list[str]:
    """A row of the tables on skill."""
    shares = (share(skill[part]) for part in ("cards", "seat", "player", "both"))
    return [
        title,
        f"{word(skill['strong'])} against {word(skill['weak'])}",
        *shares,
        about(skill["difference"], True),
        number(skill["apart"]),
        number(skill["duplicate"]),
    ]


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
        return (
            "## What the bots may distort\n\nThese figures are of *medium* bots only: they were not repeated with "
            "stronger ones, which take too long here. What a rule does to people may be something else.\n"
        )
    heads, rows = _heads(kept), []
    thinking = plan.thinking_of(kept["game"])
    few = "" if thinking == plan.THINKING else " With so few iterations they may be no stronger than *medium* ones."
    for rules, each in kept["stronger"].items():
        moved = [f"{about(each['figures'][m])} ({about(each['effects'][m], True)})" for m in plan.MEASURES]
        rows.append([kept["presets"][rules]["title"], f"{each['deals']:,}", *moved])
    return (
        f"## What the bots may distort\n\nThe same deals by `{word(thinking)}` bots at every seat, and in brackets how "
        "much more that is than with *medium* ones. Where the bracket is wide, a rule may do to good players what it "
        f"does not do in the tables above.{few}\n\n"
        + table(["rules", "deals", *(heads[m] for m in plan.MEASURES)], rows)
    )


def _commands(kept: Data) -> str:
    lines = [each["command"] for each in kept["presets"].values()]
    lines += [each["command"] for each in kept["rules"].values() if "command" in each]
    lines += [kept["seats"]["command"]] if kept["seats"] else []
    lines += [each["command"] for each in kept["skill"].values()]
    lines += [kept["stronger skill"]["command"]] if kept["stronger skill"] else []
    lines += [each["command"] for each in kept["stronger"].values() if each]
    shown = "\n".join("$ " + line for line in dict.fromkeys(lines))
    return (
        f"## The commands\n\n`python tools/findings.py {kept['game']}` measures all of this page and writes it; "
        "places, payoffs and choices are its own counts. The other figures are those of these commands:\n\n"
        f"```console\n{shown}\n```\n"
    )


# The book


def skill_page(every: Mapping[str, Data]) -> str:
    """Skill and luck of all presets."""
    rows = [
        (kept["presets"][rules]["title"], skill) for kept in every.values() for rules, skill in kept["skill"].items()
    ]
    rows.sort(key=lambda row: -row[1]["player"]["share"])
    stronger = [
        (next(iter(kept["presets"].values()))["title"], kept["stronger skill"])
        for kept in every.values()
        if kept["stronger skill"]
    ]
    stronger.sort(key=lambda row: -row[1]["player"]["share"])
    commands = "\n".join("$ " + skill["command"] for _, skill in [*rows, *stronger])
    rules = [(kept, *each) for kept in every.values() for each in skilful(kept)]
    rules.sort(key=lambda row: -abs(row[3].difference))
    return (
        f"# Skill and luck\n\n{MADE}\n\nHow much of what a seat gets in a deal is the cards, the seat and the player, "
        "for all sets of rules on one scale ([how it is measured](../studies.md#skill-and-luck)). *Both* is what a "
        "player makes of these cards, more or less than usual. *Deals apart* says how many deals tell the two players "
        "apart if each plays with cards of their own; *same cards*, how many if both play the same ones.\n\n"
        "![The share of the player](pictures/skill.svg)\n\n"
        f"## A player with a rule of thumb against none\n\n{table(SKILL_HEADS, (skill_row(*row) for row in rows))}\n"
        "A small share of the player says that a single deal is mostly luck, not that there is nothing to learn: the "
        "deals needed fall with the square of the difference. The scale compares two given players: a game whose rule "
        "of thumb is poor stands too low.\n\n"
        "## A player who thinks against the rule of thumb\n\n"
        f"{table(SKILL_HEADS, (skill_row(*row) for row in stronger))}\n"
        f"## The house rules that change it most\n\n{table(RULE_HEADS, (_rule_row(*row) for row in rules[:MOST]))}\n"
        "In percentage points of the player's share, *medium* against *random*, in the same deals: the clearest "
        f"{MOST} of all games, by size; the page of each game has the others. *Random* makes every mistake that the "
        "rules allow. So a rule that takes a mistake away, such as drawing though one could play, takes most from "
        "this share, and says less about people, who seldom make it.\n\n"
        f"## The commands\n\n```console\n{commands}\n```\n"
    )


MOST = 20  #: house rules in the table of those that change skill most
RULE_HEADS = ("game", "house rule", "from → to", "player's share")


def _rule_row(kept: Data, option: str, each: Data, e: Effect) -> list[str]:
    told = kept["skill of rules"][option]["values"][e.b]
    name = f"`{option}`{_under({**each, 'bots': 'simple'}, next(iter(kept['presets'])))}"
    return [f"[{kept['title']}](games/{kept['game']}.md)", name, change(e), about(told, True)]


def skill_picture(every: Mapping[str, Data]) -> str:
    """The share of the player in all presets."""
    bars = []
    for kept in every.values():
        for rules, skill in kept["skill"].items():
            part = skill["player"]
            bars.append(Bar(kept["presets"][rules]["title"], *(100 * part[x] for x in ("share", "low", "high"))))
    bars.sort(key=lambda bar: -bar.middle)
    return white(intervals(bars, "The share of the player in the variance of a deal, medium against random, in %"))


def first_page(every: Mapping[str, Data]) -> str:
    """The first page of the book."""
    rows = []
    for game, kept in every.items():
        for each in kept["presets"].values():
            f = each["figures"]
            rules = next(name for name, it in kept["presets"].items() if it is each)
            rows.append(
                [
                    f"[{each['title']}](games/{game}.md)",
                    str(each["seats"]),
                    about(f["length"]),
                    about(f["eldest"], True),
                    number(f["eldest"]["deviation"]),
                    percent(kept["skill"][rules]["player"]["share"]),
                ]
            )
    heads = ["rules", "seats", "moves", "eldest's payoff", "deviation", "player"]
    pages = "\n".join(f"games/{kept['game']}" for kept in every.values())
    missing = [title for name, game in catalog.games().items() if name not in every for title in [game.title]]
    return flowed(FIRST).format(
        made=MADE,
        table=table(heads, rows),
        pages=pages,
        missing=f"\nNot measured yet: {', '.join(missing)}.\n" if missing else "",
    )


def flowed(text: str) -> str:
    """A text whose paragraphs are one line each: lines that begin with two blanks go on with the line before."""
    return text.replace("\n  ", " ")


FIRST = """# The book of numbers

{made}

What these games do when they are played many thousand times: how long a deal is, whom it favours, what each house
  rule changes, and what is skill. Every page ends with the commands that give its figures.

{table}{missing}
*Eldest's payoff*: what the seat after the dealer gets in a deal, in the game's chips or points, with half of its 95
  % interval; in a game for one it is the score. *Deviation*: the standard deviation of that in a deal, which says
  how large the luck is beside it. *Player*: the share of the variance that a *medium* player makes in place of a
  random one ([skill and luck](skill.md)).

[Questions](questions.md) answers some that a card player asks: what Michigan's widow is worth, whether Play or
  Pay's stakes are fair, what a pass goes along with, how good the bids of Oh Hell! are, which opening hands win at
  Cassino and Scopa, who wins at Pirate. [Spider](spider.md) with all cards known has a page of its own, and so has
  [what bots that think win of what could be won](strength.md).

## How it is made

`make findings` plays all deals and writes these pages (`tools/findings.py`; figures are kept in
  `docs/findings/data`). It takes about half an hour of one core at this size; `make findings ARGS="--size 50"`
  plays fifty times as many deals in hours and goes on after a break, study by study and block by block. `python
  tools/findings.py --quick` plays few deals of another seed and compares them with the figures here; a test does
  the same.

* All values of a house rule play the same deals, so the luck of the cards nearly cancels out in a difference.
* Intervals are 95 %, by Student's t, and take the deals of a match as one cluster. A page has many of them: of a
  hundred, five miss. A figure without one was the same in every match.
  Effects in bold hold in the whole family of their page (Holm's procedure).
* The figures follow from the seed. Other versions of the bots or of the rules give others.

## What it does not say

These are figures of bots. *Medium* plays a rule of thumb, always the same way; it does not change its play when a
  house rule changes what is wise. So an effect here is what a rule does to players who do not adapt to it.
  Each page repeats the figures of its presets with bots that think, on the same deals; the
  sample is small, and shows only large distortions. Rules about mistakes are played by bots that move at random,
  because the others make none: they show which way a fine works, not how much it costs people.

```{{toctree}}
:hidden:

skill
questions
{pages}
spider
strength
```
"""
