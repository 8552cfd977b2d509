"""House rules for compiled rules: the fields of `s.rules` follow from a game's `Options`.

| option | fields of `s.rules` |
|---|---|
| a number; a choice among numbers; an option with `numbers` | one with its name: the number |
| a number for each seat | a row with its name, by seat |
| `no` or `yes`, `off` or `on` | one with its name: 0 or 1 |
| a choice among words | one for each word, `stake_banknote`: 1 for the word chosen, 0 for the others |
| text of the game's own (`written`) | none: the game's `prepare` reads it |
"""

from __future__ import annotations

from typing import Any

from cardtable.kernel import field
from cardtable.rules.contract import MAX_SEATS, HouseRules
from cardtable.rules.options import Kind, Options

YES = {"yes", "on"}
YES_OR_NO = ({"no", "yes"}, {"off", "on"})


def rules_of(*options: type[Options], **derived: Any) -> Any:
    """The field `rules` of a state: fields for the options of its games, and fields that `prepare` derives from them.

    An option that only some of the games have is 0 in the others. derived: additional fields, made by `field`. Raises
    TypeError for a word that cannot be part of a name, and ValueError for a derived field that duplicates an option.
    """
    fields = {name: field() for name in HouseRules.fields}
    for each in options:
        for option, kind in each.kinds().items():
            for name in _integers(option, kind, None):
                if not name.isidentifier():
                    raise TypeError(
                        f"{each.__name__}.{option}: {name!r} is no name for a field: give the option `numbers`"
                    )
                fields[name] = field("i8", MAX_SEATS) if kind.per_seat else field()
    if twice := fields.keys() & derived.keys():
        raise ValueError(f"{', '.join(sorted(twice))}: follows from an option already")
    own = {name: kind for name, kind in (fields | derived).items() if name not in HouseRules.fields}
    made: Any = type(
        "Rules", (HouseRules,), {"__annotations__": dict.fromkeys(own, int), "__module__": __name__, **own}
    )
    return made.inside


def fill(rules: Any, options: Options, seats: int) -> None:
    """Write resolved options into the `rules` of a new state."""
    for option, kind in options.kinds().items():
        for name, value in _integers(option, kind, getattr(options, option)).items():
            if kind.per_seat:
                rules[name][:seats] = value
            else:
                rules[name] = value


def _integers(name: str, kind: Kind, value: Any) -> dict[str, Any]:
    """The fields that follow from an option, with their values if the option has this value (None: not known)."""
    if kind.read:
        return {}
    words = set(kind.values)
    if kind.numbers or kind.high or all(word.isdecimal() for word in words):
        known = kind.numbers.get(value, value)
        return {name: known if isinstance(known, tuple) else int(known or 0)}
    if words in YES_OR_NO:
        return {name: int(value in YES)}
    return {f"{name}_{word}": int(word == value) for word in kind.values}
