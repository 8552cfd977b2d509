"""The pages and pictures of the book of numbers, from the figures that are kept and the words of texts.md."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cardtable.base import digits
from cardtable.base.languages import figure
from cardtable.lab.intervals import around, p_value
from cardtable.lab.luck import GROUPS
from cardtable.lab.study import effects
from cardtable.lab.study.effects import Effect
from cardtable.picture.figures import Bar, intervals
from cardtable.rules import catalog
from findings import plan
from findings.surprises import SURPRISES, sentence

Data = Mapping[str, Any]
HEADS = {"eldest": "first player's payoff", "length": "moves", "passes": "passes", "void": "nobody wins"}
HEADS |= {"spread": "spread", "skill": "player's share"}
ALONE = HEADS | {"eldest": "score"}  #: of a game for one
SKILL_HEADS = ("rules", "players", "deals apart", "same cards", "difference", "cards", "seat", "player", "both")
RULE_UNITS = {"void": "nobody wins, points", "skill": "player's share, points"}  #: of effects: percentage points
RULE_HEADS = ("game", "house rule", "from → to", "player's share, points")
WIDE = 0.3  #: the width of a share's interval from which its row says nothing
UNITS = ("scoring", "stakes")  #: options that change what a payoff is counted in
NOTHING = ("0", "0%", "–", "")  #: cells without information, if a whole row or column has them
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
    return "–" if x is None else digits.number(x, signed)


def percent(x: float | None) -> str:
    """A share to a tenth of a per cent; a small one to two digits. An estimate below 0 is shown as 0."""
    if x is None:
        return "–"
    if x <= 0.0:
        return "0%"
    if x >= 0.01:
        return f"{100.0 * x:.1f}".removesuffix(".0") + "%"
    return f"{number(float(f'{100.0 * x:.2g}'))}%" if x >= 0.0001 else "<0.01%"


def about(each: Data, signed: bool = False) -> str:
    """A mean or a difference with half of its interval, if it has one: 1.23 ± 0.04."""
    middle = each["mean"] if "mean" in each else each["difference"]
    reach = (each["high"] - each["low"]) / 2.0 if each["low"] is not None else 0.0
    return digits.about(middle, reach, signed)


def fitting(x: float | None, part: float) -> str:
    """A figure without its interval, half of which is this part of it: with no digit that the interval hides."""
    return number(x if x is None else digits.rounded(x, abs(x) * part))


def points(each: Data) -> dict[str, float | None]:
    """A share, or a difference of shares, in percent."""
    return {name: value if value is None else 100.0 * value for name, value in each.items()}


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "/") for cell in line) + " |" for line in lines) + "\n"


def joined(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Rows that say the same of several rules as one, with all their names."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, *cells in rows:
        names.setdefault(tuple(cells), []).append(name)
    return [[", ".join(each), *cells] for cells, each in names.items()]


def listed(words: Sequence[str]) -> str:
    """a, b and c."""
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def shell(commands: Iterable[str]) -> str:
    """Commands as lines of a console."""
    return "\n".join("$ " + command for command in commands)


def white(svg: str) -> str:
    """A picture on white, which is legible on dark pages as well."""
    return svg.replace("</style>", '</style><rect width="100%" height="100%" fill="#fff"/>', 1) + "\n"


# A game


def page(data: Data) -> str:
    """The page of a game."""
    rules = [_deals, _places, _payoffs, _rules, _seats, _skill, _stronger, _commands]
    return "\n".join(filter(None, [_opening(data), _surprises(data), *(part(data) for part in rules)]))


def _heads(data: Data) -> Mapping[str, str]:
    return ALONE if all(each["seats"] == 1 for each in data["presets"].values()) else HEADS


def _first(data: Data) -> Data:
    first: Data = next(iter(data["presets"].values()))
    return first


def _opening(data: Data) -> str:
    return text("game opening", **{**data, "deals": _first(data)["deals"]})


def _surprises(data: Data) -> str:
    sentences = [f"{k}. {sentence(each, data)}" for k, each in enumerate(SURPRISES.get(data["game"], ()), 1)]
    return text("game surprises", told="\n".join(sentences)) if sentences else ""


def _deals(data: Data) -> str:
    heads = ["rules", "seats", "moves", "with a choice", "moves to choose from", "passes", "nobody wins", "spread"]
    rows = []
    for each in data["presets"].values():
        f, choice = each["figures"], each["choices"]
        cells = [about(f["length"]), percent(choice["share"]), number(choice["among"])]
        cells += [about(f["passes"]), percent(f["void"]["mean"]), about(f["spread"])]
        rows.append([each["title"], str(each["seats"]), *cells])
    shown = [k for k in range(len(heads)) if any(row[k] not in NOTHING for row in rows)]
    first = _first(data)
    described = {"passes": "passes", "nobody wins": "void", "spread": "spread"}
    notes = [text(f"game deals {name}").strip() for head, name in described.items() if heads.index(head) in shown]
    return text(
        "game deals",
        title=first["title"],
        length=number(first["figures"]["length"]["mean"]),
        share=percent(first["choices"]["share"]),
        table=table([heads[k] for k in shown], joined([row[k] for k in shown] for row in rows)),
        looked=first["choices"]["deals"],
        notes=" ".join(notes),
    )


def _places(data: Data) -> str:
    every = data["presets"].values()
    most = max(each["seats"] for each in every)
    if most == 1:
        rows = [[each["title"], about(each["places"][0])] for each in every]
        none = listed([title for title, score in rows if score in NOTHING] or ["none of them"])
        best = max(every, key=lambda each: each["places"][0]["mean"])
        figures = {"none": none, "deals": _first(data)["deals"], "best": best["title"]}
        told = joined(row for row in rows if row[1] not in NOTHING)
        return text("game score", **figures, most=about(best["places"][0]), table=table(["rules", "score"], told))
    tables = []
    for seats in sorted({each["seats"] for each in every}):
        heads = ["rules", "eldest", *(f"place {k + 1}" for k in range(1, seats - 1)), "dealer"]
        alike = [each for each in every if each["seats"] == seats]
        rows = [[each["title"], *(about(place, True) for place in each["places"])] for each in alike]
        advice = [] if _first(data) in alike else [_place_advice(alike[0])]
        tables.append("\n\n".join([*advice, table(heads, joined(rows))]))
    return text("game places", advice=_place_advice(_first(data)), table="\n".join(tables))


def _place_advice(each: Data) -> str:
    """The seat with an advantage in the first set of rules, if that is clear."""
    places = each["places"]
    names = ["the first player", *(f"place {k}" for k in range(2, len(places))), "the dealer"][: len(places)]
    average = sum(place["mean"] for place in places) / len(places)
    gains = [
        {"mean": place["mean"] - average, "low": place["low"] - average, "high": place["high"] - average}
        for place in places
    ]
    clear = [(gain, name) for gain, name in zip(gains, names, strict=True) if gain["low"] > 0 or gain["high"] < 0]
    if not clear:
        return f"In {each['title']} no place has a clear advantage."
    best, worst = (choose(clear, key=lambda one: one[0]["mean"]) for choose in (max, min))
    shown = [best] if best[1] == worst[1] else [best, worst]
    parts = [f"{name} gets {about(gain).lstrip('−')} {_more(gain)}" for gain, name in shown]
    parts[0] += " than the average seat"
    return f"In {each['title']} {listed(parts)}."


def _more(gain: Data) -> str:
    return "more" if gain["mean"] > 0 else "less"


def _payoffs(data: Data) -> str:
    heads = ["rules", "lowest", "5%", "25%", "median", "75%", "95%", "highest", "above 0"]
    rows = []
    for each in data["presets"].values():
        paid = each["payoffs"]
        cells = map(number, (paid["lowest"], *paid["shares"].values(), paid["highest"]))
        row = [each["title"], *cells, percent(paid["above"])]
        if any(cell not in NOTHING for cell in row[1:]):
            rows.append(row)
    first = next(each for each in data["presets"].values() if each["title"] == rows[0][0])
    half, twentieth = (number(first["payoffs"]["shares"][share]) for share in ("0.5", "0.95"))
    return text("game payoffs", title=first["title"], half=half, twentieth=twentieth, table=table(heads, joined(rows)))


# House rules


def compared(data: Data) -> list[tuple[str, Data, Effect]]:
    """Every effect of a game's house rules (option, its study, effect), adjusted as one family by Holm's procedure."""
    studies: list[tuple[str, Data]] = []
    every: list[Effect] = []
    for option, each in data["rules"].items():
        for value in each.get("values", {}):
            for measure, e in effects_of(data, option, value).items():
                difference, error = e["difference"], e["error"] or 0.0
                clusters = GROUPS if measure == "skill" else e["matches"]
                alone = around(difference, error, clusters)
                saved = e.get("standardised", 0.0), e.get("saving") or math.inf, p_value(difference, error, clusters)
                interval = difference, alone.low, alone.high, error
                studies.append((option, each))
                every.append(Effect(each["base"], value, measure, *interval, *saved, each["deals"], clusters))
    return [(*where, e) for where, e in zip(studies, effects.adjusted(every), strict=True)]


def effects_of(data: Data, option: str, value: str) -> Data:
    """The effects of a value by measure, that on the player's share among them."""
    skill = data["skill of rules"].get(option, {"values": {}})["values"]
    return dict(data["rules"][option]["values"][value]) | ({"skill": skill[value]} if value in skill else {})


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
    words += [f"{bots or each['bots']} bots"] if (bots or each["bots"]) != "medium" else []
    return f" ({', '.join(words)})" if words else ""


def _rules(data: Data) -> str:
    heads, first = _heads(data), next(iter(data["presets"]))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    every = compared(data)
    for option, each, e in every:
        effect = effects_of(data, option, e.b)[e.measure]
        shift = about(points(effect) if e.measure == "void" else effect, True)
        words = "0" if not e.error and not e.difference else shift
        row = rows.setdefault((option, e.b), {"name": f"`{option}`{_under(each, first)}", "change": change(e)})
        row[e.measure] = f"**{words}**" if e.p < 0.05 and words != "0" else words
    moved = {name: [m for m in plan.SHOWN if row.get(m, "0") != "0"] for name, row in rows.items()}
    shown = [measure for measure in plan.SHOWN if any(measure in measures for measures in moved.values())]
    parts = ["## What each house rule does\n"]
    for bots, part in (("medium", "game rules"), ("random", "game rules of mistakes")):
        moving = [
            [row["name"], row["change"], *(row.get(m, "–") for m in shown)]
            for n, row in rows.items()
            if moved[n] and (data["rules"][n[0]]["bots"] == "random") == (bots == "random")
        ]
        if moving:
            words = table(["house rule", "from → to", *(RULE_UNITS.get(m, heads[m]) for m in shown)], moving)
            advice = _rule_advice(data, every, bots == "random", heads)
            parts.append(text(part, what=heads["eldest"], game=data["game"], advice=advice, table=words))
    parts += [_share_of_rules(data)] if "skill" in shown else []
    kinds = catalog.find(data["game"]).options.kinds()
    told = dict.fromkeys(option for option, value in rows if moved[option, value])
    words = "\n".join(f"* `{option}`: {kinds[option].text}" for option in told)
    parts += [text("game rules in words", rules=words)] if told else []
    still: dict[str, list[str]] = {}
    for option, value in (name for name in rows if not moved[name]):
        still.setdefault(option, []).append(value)
    if looks := [option for option in still if of_looks(data["game"], option)]:
        parts.append(f"Only a matter of looks: {listed([f'`{option}`' for option in looks])}.\n")
    if still := {option: values for option, values in still.items() if option not in looks}:
        words = listed([f"`{option}` = {' or '.join(values)}" for option, values in still.items()])
        parts.append(f"These change none of the figures in any of the deals: {words}.\n")
    unmeasured = [f"`{option}` ({each['left out']})" for option, each in data["rules"].items() if "left out" in each]
    refused = (pair for each in data["rules"].values() for pair in each.get("refused", {}).items())
    unmeasured += [f"`{label}` ({why})" for label, why in refused]
    parts += ["Not measured: " + "; ".join(unmeasured) + ".\n"] if unmeasured else []
    return "\n".join(parts)


def _rule_advice(data: Data, every: list[tuple[str, Data, Effect]], random: bool, heads: Mapping[str, str]) -> str:
    """Which rule changes the first player's payoff most, or the length of a deal, if no effect on that is clear."""
    mine = [
        (option, e)
        for option, each, e in every
        if (each["bots"] == "random") == random and e.p < 0.05 and option not in UNITS
    ]
    for measure in ("eldest", "length"):
        if moved := [(option, e) for option, e in mine if e.measure == measure and e.difference]:
            option, e = max(moved, key=lambda one: abs(one[1].difference))
            what = heads[measure] if measure == "eldest" else "number of moves"
            old, new = both(e)
            shift = about(effects_of(data, option, e.b)[measure], True)
            return f"`{option}` = {new} instead of {old} changes the {what} most: {shift}."
    return f"None of these rules clearly changes the {heads['eldest']} or the number of moves."


def of_looks(game: str, option: str) -> bool:
    """Whether an option says that it is only a matter of looks."""
    return "matter of looks" in str(catalog.find(game).options.kinds()[option].text)


def _share_of_rules(data: Data) -> str:
    """What the column of the player's share says, and which rule moves it most."""
    most = ""
    if effects := skilful(data):
        option, each, e = effects[0]
        share = data["skill of rules"][option]["share"]["share"]
        a, b = both(e)
        most = (
            f" `{option}`{_under(each, next(iter(data['presets'])), 'medium')} moves it most: the share is "
            f"{percent(share / 100)} with *{a}* and {percent(max(0.0, share + e.difference) / 100)} with *{b}*."
        )
    return text("game share", many=max(each["deals"] for each in data["skill of rules"].values()), most=most)


def skilful(data: Data) -> list[tuple[str, Data, Effect]]:
    """The clear effects of house rules on the player's share, the largest first, without rules about mistakes: only
    bots that play at random make these.
    """
    clear = [
        each
        for each in compared(data)
        if each[2].measure == "skill" and each[2].p < 0.05 and each[2].difference and each[1]["bots"] != "random"
    ]
    return sorted(clear, key=lambda each: -abs(each[2].difference))


def picture(data: Data) -> str:
    """The effects of a game's house rules on the eldest's payoff; on the length, if nothing else moves. Its intervals
    hold all together.
    """
    every = compared(data)
    for measure in plan.MEASURES:
        mine = [(option, e) for option, _, e in every if e.measure == measure and (e.error or e.difference)]
        if mine:
            break
    bars = [Bar(f"{option}: {change(e)}"[:44], e.difference, e.low, e.high, open=not e.clear) for option, e in mine]
    return white(intervals(bars, f"{data['title']}: effects of house rules on the {_heads(data)[measure]}"))


# Seats and players


def advantage(eldest: Data, average: float) -> dict[str, float]:
    """How much more the first player gets than the average seat, with the interval of what it gets."""
    return {name: eldest[name] - average for name in ("mean", "low", "high")}


def lead(each: Data) -> float:
    """How much more the eldest gets than the average seat, for a number of seats, in standard deviations of a deal."""
    eldest = each["figures"]["eldest"]
    return (float(eldest["mean"]) - float(each["average"])) / (float(eldest["deviation"]) or 1.0)


def fairest(data: Data) -> tuple[str, str]:
    """The numbers of seats with the smallest advantage or disadvantage of the eldest over the average seat, and with
    the largest share of the player.
    """
    every = data["seats"]["seats"]
    skilled = max(every, key=lambda n: every[n]["skill"]["player"]["share"])
    return min(every, key=lambda n: abs(lead(every[n]))), skilled


def _seats(data: Data) -> str:
    if not data["seats"]:
        return ""
    heads = ["seats", "moves", "first player's advantage", "in deviations", "nobody wins", "spread"]
    heads += ["same cards", "cards", "seat", "player"]
    rows = []
    for n, each in data["seats"]["seats"].items():
        f, skill = each["figures"], each["skill"]
        cells = [about(f["length"]), about(advantage(f["eldest"], each["average"]), True), figure(lead(each), "+.2f")]
        cells += [percent(f["void"]["mean"]), about(f["spread"]), apart(skill, "duplicate")]
        rows.append([n, *cells, *(tenth(skill[part]) for part in ("cards", "seat", "player"))])
    shown = [k for k in range(len(heads)) if any(row[k] not in NOTHING for row in rows)]
    fair, skilled = fairest(data)
    both = f"With {fair} players it matters least who plays first, and with {skilled} the player counts most."
    advice = (
        both if fair != skilled else f"With {fair} players it matters least who plays first and most how they play."
    )
    rendered = table([heads[k] for k in shown], ([row[k] for k in shown] for row in rows))
    return text("game seats", table=rendered, advice=advice, deals=data["seats"]["deals"])


def _skill(data: Data) -> str:
    told = [(each["title"], data["skill"][rules]) for rules, each in data["presets"].items()]
    told += [(_first(data)["title"], data["stronger skill"])] if data["stronger skill"] else []
    rows = joined(skill_row(*row) for row in told if says(row[1]))
    if not rows:
        return ""
    title, first = next(row for row in told if says(row[1]))
    players = f"{word(first['strong'])}* player of {title} from " + (
        "one who plays at random" if first["weak"] == "random" else f"a *{word(first['weak'])}* one"
    )
    alone, same = apart(first, "apart"), apart(first, "duplicate")
    needed = f"{alone} deals" if alone == same else f"{alone} deals, or {same} if both play the same cards"
    return text("game skill", players=players, needed=needed, table=table(SKILL_HEADS, rows))


def says(skill: Data) -> bool:
    """Whether a row on skill says anything: the players differ, and the shares are known to some degree."""
    parts = (skill[part] for part in ("cards", "seat", "player", "both"))
    wide = any(part["low"] is not None and part["high"] - part["low"] > WIDE for part in parts)
    return bool(skill["difference"]["mean"]) and not wide


def skill_row(title: str, skill: Data) -> list[str]:
    """A row of the tables on skill."""
    players = f"{word(skill['strong'])} against {word(skill['weak'])}"
    shares = (share(skill[part]) for part in ("cards", "seat", "player", "both"))
    needed = (apart(skill, name) for name in ("apart", "duplicate"))
    return [title, players, *needed, about(skill["difference"], True), *shares]


def apart(skill: Data, name: str) -> str:
    """A number of deals, `apart` or `duplicate`. It goes with the inverse square of the difference, so half of its
    interval is twice that part of it; at least one deal is needed.
    """
    better = skill["difference"]
    if better["low"] is not None and better["low"] <= 0 <= better["high"]:
        return "not known"
    part = 0.0 if better["low"] is None else (better["high"] - better["low"]) / abs(better["mean"])
    return fitting(skill[name], 0.0 if skill[name] == 1.0 else part)


def share(each: Data) -> str:
    """A share with half of its interval. An estimate outside 0 to 100% is shown as the nearer of both."""
    middle = min(1.0, max(0.0, each["share"])) * 100
    reach = 50 * (each["high"] - each["low"]) if each["low"] is not None else 0.0
    if not reach:
        return f"{middle:.1f}%"
    digits = 1 if reach < 10 else 0
    return f"{middle:.{digits}f} ± {f'{reach:.{digits}f}' if reach >= 0.05 else '<0.1'}%"


def tenth(each: Data) -> str:
    """A share without its interval, to a tenth of a per cent."""
    return share({**each, "low": None}) if each["share"] >= 0.0005 else "0%"


def word(level: str) -> str:
    """What people call a level: `hard:1000` is `search:1000`."""
    return "medium" if level == "medium" else level.replace("search", "hard")


def _stronger(data: Data) -> str:
    if not any(data["stronger"].values()):
        return text("game medium alone")
    heads, rows = _heads(data), []
    thinking = plan.thinking_of(data["game"])
    few = "" if thinking == plan.THINKING else " With so few iterations they may be no stronger than *medium* ones."
    for rules, each in data["stronger"].items():
        rows.append(
            [data["presets"][rules]["title"], f"{each['deals']:,}", *(_changed(each, m) for m in plan.MEASURES)]
        )
    names = ["rules", "deals", *(heads[m] for m in plan.MEASURES)]
    shown = [k for k in range(len(names)) if any(row[k] not in ("0 (0)", "0%") for row in rows)]
    rendered = table([names[k] for k in shown], ([row[k] for k in shown] for row in rows))
    return text("game stronger", players=word(thinking), few=few, advice=_stronger_advice(data), table=rendered)


def _changed(each: Data, measure: str) -> str:
    """A figure with stronger bots, and in brackets its difference."""
    figure, effect = each["figures"][measure], each["effects"][measure]
    if measure != "void":
        return f"{about(figure)} ({about(effect, True)})"
    shown = percent(figure["mean"]) if figure["low"] == figure["high"] else f"{about(points(figure))}%"
    return shown if shown == "0%" and not effect["difference"] else f"{shown} ({about(points(effect), True)})"


def _stronger_advice(data: Data) -> str:
    """Which figures differ clearly with stronger bots, by rules."""
    heads = _heads(data)
    parts = []
    for rules, each in data["stronger"].items():
        effects = {m: each["effects"][m] for m in plan.MEASURES}
        clear = [
            f"*{heads[m]}*" for m, e in effects.items() if e["low"] is not None and (e["low"] > 0 or e["high"] < 0)
        ]
        if clear:
            parts.append(f"{listed(clear)} in {data['presets'][rules]['title']}")
    if not parts:
        titles = _first(data)["title"] + (" and its variants" if len(data["stronger"]) > 1 else "")
        return f"In {titles} no difference is clear of zero, but so few deals show only large ones."
    return f"With stronger bots these figures change, each interval clear of zero: {'; '.join(parts)}."


def _commands(data: Data) -> str:
    made = [*data["presets"].values(), *data["rules"].values(), data["seats"], *data["skill"].values()]
    made += [data["stronger skill"], *data["stronger"].values()]
    commands = dict.fromkeys(each["command"] for each in made if "command" in each)
    return text("game commands", game=data["game"], commands=shell(commands))


# The book


def skill_page(every: Mapping[str, Data]) -> str:
    """Skill and luck of all presets."""
    rows = [(data["presets"][rules]["title"], each) for data in every.values() for rules, each in data["skill"].items()]
    stronger = [(_first(data)["title"], data["stronger skill"]) for data in every.values() if data["stronger skill"]]
    rows, stronger = ([row for row in of if says(row[1])] for of in (rows, stronger))
    for of in (rows, stronger):
        of.sort(key=lambda row: row[1]["apart"])
    rules = [(data, *each) for data in every.values() for each in skilful(data)]
    rules.sort(key=lambda row: -abs(row[3].difference))
    (easy, least), (hard, most) = rows[0], rows[-1]
    short = (SKILL_HEADS[0], *SKILL_HEADS[2:])  # without the players, who are the same in all rows of a table
    told, taught = (
        [[name, *cells] for name, _, *cells in joined(skill_row(*row) for row in of)] for of in (rows, stronger)
    )
    clear = [row for row in taught if row[1] != "not known"]
    more, less = (next(row for row in rules if row[1] != "suits" and sign * row[3].difference > 0) for sign in (1, -1))
    return text(
        "skill",
        easy=easy,
        least=math.ceil(least["apart"]),
        hard=hard,
        largest=apart(most, "apart"),
        evening=listed([name for name, each in rows if each["apart"] < 10]),
        never=listed([name for name, each in rows if each["apart"] > 100]),
        table=table(short, told),
        best=clear[0][0],
        soon=clear[0][1],
        unknown=listed([row[0] for row in taught if row not in clear]),
        stronger=table(short, taught),
        more=_rule_words(*more),
        less=_rule_words(*less),
        rules=table(RULE_HEADS, (_rule_row(*row) for row in rules[:MOST])),
        most=MOST,
        commands=shell(skill["command"] for _, skill in [*rows, *stronger]),
    )


def _rule_words(data: Data, option: str, _: Data, e: Effect) -> str:
    effect = data["skill of rules"][option]["values"][e.b]
    return f"`{option}` = {both(e)[1]} in {data['title']} ({about(effect, True)} points)"


def _rule_row(data: Data, option: str, each: Data, e: Effect) -> list[str]:
    effect = data["skill of rules"][option]["values"][e.b]
    name = f"`{option}`{_under(each, next(iter(data['presets'])), 'medium')}"
    return [f"[{data['title']}](games/{data['game']}.md)", name, change(e), about(effect, True)]


def skill_picture(every: Mapping[str, Data]) -> str:
    """The share of the player in all presets."""
    bars = []
    for data in every.values():
        for rules, skill in data["skill"].items():
            part = (100 * skill["player"][x] for x in ("share", "low", "high"))
            bars.append(Bar(data["presets"][rules]["title"], *part))
    bars.sort(key=lambda one: -one.middle)
    return white(intervals(bars, "The share of the player in the variance of a deal, medium against random, in %"))


def first_page(every: Mapping[str, Data], headlines: str) -> str:
    """The first page of the book. headlines: its most surprising results."""
    rows, alone, leads = [], [], list[tuple[float, str]]()
    for game, data in every.items():
        for rules, each in data["presets"].items():
            f, name = each["figures"], f"[{each['title']}](games/{game}.md)"
            if each["seats"] == 1:
                alone.append([name, about(f["length"]), about(f["eldest"])])
                continue
            average = sum(place["mean"] for place in each["places"]) / each["seats"]
            gain = advantage(f["eldest"], average)
            led = gain["mean"] / f["eldest"]["deviation"]
            leads.append((led, each["title"]))
            cells = [about(f["length"]), about(gain, True), figure(led, "+.2f")]
            rows.append([name, str(each["seats"]), *cells, apart(data["skill"][rules], "apart")])
    heads = ["rules", "seats", "moves", "first player's advantage", "in deviations", "deals apart"]
    missing = [game.title for name, game in catalog.games().items() if name not in every]
    return text(
        "book",
        headlines=headlines,
        best=max(leads)[1],
        most=f"{max(leads)[0]:.2f}",
        worst=min(leads)[1],
        least=f"{-min(leads)[0]:.2f}",
        table=table(heads, joined(rows)),
        alone=table(["rules", "moves", "runs removed"], joined(alone)),
        pages="\n".join(f"games/{game}" for game in every),
        missing=f"\nNot measured yet: {', '.join(missing)}.\n" if missing else "",
    )
