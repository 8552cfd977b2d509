"""What holds in the whole package and no linter says: no name of a game where all games are data, types, systems.

What may import what is declared in pyproject.toml (`lint-imports`).
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import floors

from cardtable.rules import catalog

PACKAGE = Path(__file__).resolve().parents[2] / "cardtable"


def files() -> dict[str, Path]:
    """Module name -> file, of the whole package."""
    paths = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        paths[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return paths


FILES = files()
MODULES = [name for name in FILES if name != "cardtable"]  # the package itself offers every floor, when asked


@cache
def tree(module: str) -> ast.Module:
    """The parsed source of a module."""
    return ast.parse(FILES[module].read_text("utf-8"))


def names_imported(source: ast.AST) -> Iterator[tuple[str, str]]:
    """Every import of a source, wherever it stands: module, and the name taken from it ("" for the module itself)."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name) for alias in node.names)


@cache
def imports(module: str) -> tuple[tuple[str, str], ...]:
    """The imports of a module."""
    return tuple(names_imported(tree(module)))


def imported(module: str) -> set[str]:
    """The package's modules that a module imports, wherever it does."""
    own = ((name, f"{name}.{taken}") for name, taken in imports(module) if under(name, "cardtable"))
    return {longer if longer in FILES else name for name, longer in own}


def under(module: str, *homes: str) -> bool:
    """Whether a module is one of some packages, or in them."""
    return any(module == home or module.startswith(home + ".") for home in homes)


def uses_rule(module: str) -> bool:
    """Whether a module has compiled rules, or the record that they are compiled for: it takes `rule`, `generic` or
    `field` from the kernel.
    """
    return any(
        under(name, "cardtable.kernel") and taken in ("rule", "generic", "field") for name, taken in imports(module)
    )


def test_the_drawing_of_the_floors_is_the_declared_one() -> None:
    match = floors.DRAWING.search(floors.PAGE.read_text("utf-8"))
    assert match is not None
    assert match.group() == floors.drawing(), "run: python tools/floors.py --write"


def test_nothing_reaches_up_through_the_package_itself() -> None:
    """`from cardtable import Match` inside the package would be an import of a floor that the text does not show."""
    for module in MODULES:
        taken = {taken for name, taken in imports(module) if name == "cardtable" and f"cardtable.{taken}" not in FILES}
        assert taken <= {"__version__"}, f"{module} takes {', '.join(sorted(taken))} from cardtable"


def test_only_the_command_line_prints() -> None:
    silent = [module for module in MODULES if not under(module, "cardtable.cli", "cardtable.__main__")]
    assert [f"{module}:{line}" for module in silent for line in printing(tree(module))] == []


def printing(source: ast.Module) -> Iterator[int]:
    """The lines that print, or take a standard stream."""
    for node in ast.walk(source):
        if isinstance(node, ast.Name) and node.id in ("print", "input"):
            yield node.lineno
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "sys"
            and node.attr in ("stdout", "stderr", "stdin")
        ):
            yield node.lineno


def test_the_cache_is_keyed_by_every_compiled_file() -> None:
    """Numba does not see a change in another file, and freezes what rules import: all of that is in the cache's key."""
    from cardtable.kernel import cache as cache_of_rules

    keyed = set(cache_of_rules.compiled_files())
    compiled = {module for module in MODULES if uses_rule(module) and not under(module, "cardtable.kernel")}
    frozen = {name for module in compiled for name in imported(module)}
    # House rules shape records, which are part of what code is kept by; what words stand for is in the games' own files
    # and what they extend.
    options = {name for name in frozen if name.endswith("options") and under(name, "cardtable.games")}
    frozen = frozen - {"cardtable.rules.options"} | {
        name for module in options for name in imported(module) if under(name, "cardtable.games")
    }
    needed = {FILES[module] for module in compiled | frozen} | {
        FILES[module] for module in MODULES if under(module, "cardtable.kernel")
    }
    # A package that only gathers names has nothing to compile.
    needed = {path for path in needed if path.name != "__init__.py" or path.parent.name == "kernel"}
    assert not needed - keyed, (
        "missing from kernel.cache.compiled_files: "
        f"{sorted(path.relative_to(PACKAGE).as_posix() for path in needed - keyed)}"
    )
    assert not keyed - needed, (
        "not compiled, so not for kernel.cache.compiled_files: "
        f"{sorted(path.relative_to(PACKAGE).as_posix() for path in keyed - needed)}"
    )


#: what knows every game and none: only a game's own package has its names, its rules and its words
COMMON = ("table", "server", "cli")
#: names of games and presets that are English words too: a name only where they are the whole of a string, or written
#: as a title
WORDS = {
    "blitz",
    "casino",
    "cheat",
    "chicago",
    "classic",
    "doubt",
    "eights",
    "jackpot",
    "original",
    "patience",
    "pirate",
    "scat",
    "sequence",
    "sevens",
    "solitaire",
    "spider",
    "spin",
    "stops",
    "ultimate",
}
#: strings of the page that are a name by chance
BY_CHANCE = {
    "settings.js": {"Classic"},
    **dict.fromkeys(("beats.js", "motion.js", "sound.js"), {"doubt"}),
    **dict.fromkeys(("problems.py", "wire.py", "middle.js"), {"common"}),
}


@cache
def names_of_games() -> tuple[set[str], set[str]]:
    """How games and presets are written in code, and their titles."""
    slugs, titles = set(), set()
    for game in catalog.games().values():
        slugs |= {game.name, *game.presets, *(name.name for name in game.names)}
        titles |= {name.title for name in game.names}
    return slugs, titles


@cache
def pattern() -> re.Pattern[str]:
    """What names a game within a text; English words only with a capital within a sentence."""
    slugs, titles = names_of_games()
    clear = sorted((name for name in titles | slugs if name.lower() not in WORDS), key=len, reverse=True)
    capital = [name for name in titles if name.lower() in WORDS]
    return re.compile(
        rf"(?:(?<![\w-])(?=(?:{_any(clear)})(?![\w-]))|(?<=[a-z,;(] "
        rf")(?=(?:{_any(capital)})(?![\w-])))({_any(clear + capital)})"
    )


def _any(names: list[str]) -> str:
    return "|".join(map(re.escape, names))


def of_a_game(text: str, whole: bool = False) -> set[str]:
    """The names of games, presets and rules in a text. whole: it is all of a string."""
    slugs, titles = names_of_games()
    named = {text} & (slugs | titles) if whole else set()
    return (
        named
        | set(pattern().findall(text))
        | {rule for rule in re.findall(r"(?<![\w-])[A-Z]{2,3}-(?:[QSE]?\d+)\b", text) if rule in rule_ids()}
    )


@cache
def rule_ids() -> set[str]:
    """Every rule ID on the rulebook pages."""
    return {
        rule for game in catalog.games().values() for rule in re.findall(r"\b[A-Z]{2,3}-[QSE]?\d+\b", game.rulebook)
    }


def named_in_python(text: str) -> set[str]:
    """The names of games in the strings and comments of a Python source."""
    named = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            named |= of_a_game(token.string.strip("rbfRBF").strip("\"'"), whole=True)
        elif token.type in (tokenize.COMMENT, getattr(tokenize, "FSTRING_MIDDLE", -1)):
            named |= of_a_game(token.string)
    return named


def named_in_page(text: str) -> set[str]:
    """The names of games in a script, a style or a page."""
    named = of_a_game(text)
    for quoted, key in re.findall(r"[\"'`]([^\"'`\n]*)[\"'`]|[{,]\s*(\w+):", text):
        named |= of_a_game(quoted or key, whole=True)
    return named


def test_nothing_common_names_a_game() -> None:
    """No game's or preset's name, and no rule of one, in the live table, the server, its pages and the command line: a
    game is data there.
    """
    names_in = {}
    for home in (*COMMON, "web"):
        for path in sorted((PACKAGE / home).rglob("*")):
            if path.suffix == ".py":
                names_in[path] = named_in_python(path.read_text("utf-8")) - BY_CHANCE.get(path.name, set())
            elif path.suffix in (".js", ".css", ".html") and "vendor" not in path.parts:
                names_in[path] = named_in_page(path.read_text("utf-8")) - BY_CHANCE.get(path.name, set())
    assert len(names_in) > 100
    assert {path.relative_to(PACKAGE).as_posix(): names for path, names in names_in.items() if names} == {}


def private(source: ast.Module) -> Iterator[str]:
    """Private attributes that a source takes from anything but itself."""
    own = {node.name for node in ast.walk(source) if isinstance(node, ast.ClassDef)} | {"self", "cls", "os"}
    for node in ast.walk(source):
        if (
            isinstance(node, ast.Attribute)
            and re.match(r"_[a-z]", node.attr)
            and not (isinstance(node.value, ast.Name) and node.value.id in own)
        ):
            yield f"{ast.unparse(node.value)}.{node.attr}"


def test_nothing_common_reaches_into_a_match() -> None:
    """What the live table, the server and the command line need of a match, it offers (docs/api.md)."""
    taken = {(module, name) for module in MODULES if module.split(".")[1] in COMMON for name in private(tree(module))}
    assert taken == {("cardtable.server.thinking.workers", "worker._hear")}, "a class of the same module"


def test_the_check_of_names_can_fail() -> None:
    assert named_in_python("x = 'pirate'  # as in Oh Hell!\n") == {"pirate", "Oh Hell!"}
    assert named_in_python('def f():\n    """One of fan-tan (FT-22); a patience like Spider."""\n') == {
        "fan-tan",
        "FT-22",
        "Spider",
    }
    assert named_in_python("patience = spider = 'it stops'\n") == set()
    assert named_in_page("const x = { pirate: 1, 'five-or-nine': 2 }; say(`Newmarket`)") == {
        "pirate",
        "five-or-nine",
        "Newmarket",
    }
    assert list(private(ast.parse("m._s.copy(); self._x; table.match._s"))) == ["table.match._s", "m._s"]


def test_the_checks_of_imports_and_printing_can_fail() -> None:
    source = ast.parse(
        "import numba.types\nfrom cardtable.match.match import Match\ndef f():\n    from cardtable import kernel\n"
    )
    assert set(names_imported(source)) == {
        ("numba.types", ""),
        ("cardtable.match.match", "Match"),
        ("cardtable", "kernel"),
    }
    assert list(printing(ast.parse("x = 1\nprint(x)\nsys.stdout.write(x)\n"))) == [2, 3]


#: what nobody programs against: the kernel has Numba's types, the games are reached through `Game`, the others are
#: programs and tests
WITHIN = ("kernel", "games", "server", "table", "cli", "testing")
#: public names with `Any` in their signature, by the reason for it
ANY: dict[str, set[str]] = {
    "a name that is not known before it is asked for": {
        "cardtable.__getattr__",
        "cardtable.lab.__getattr__",
        "cardtable.rules.contract.State.__getattr__",
        "cardtable.rules.contract.State.__setattr__",
        "cardtable.rules.contract.State.dtype",
        "cardtable.rules.contract.HouseRules.__getattr__",
        "cardtable.rules.contract.HouseRules.__setattr__",
    },
    "a game's own record, whose fields only the game knows": {
        "cardtable.rules.features.everything",
        "cardtable.rules.features.program",
        "cardtable.rules.game.Rules.State",
        "cardtable.rules.compiled_options.fill",
        "cardtable.rules.positions.chips",
        "cardtable.rules.positions.set_chips",
        "cardtable.rules.timing.Arbiter.state",
        "cardtable.rules.timing.RealTime.arbiter",
        "cardtable.rules.timing.Window.is_open",
    },
    "the value of a field of another type, as in dataclasses.field": {
        "cardtable.rules.compiled_options.rules_of",
        "cardtable.rules.options.choice",
        "cardtable.rules.options.flag",
        "cardtable.rules.options.number",
        "cardtable.rules.options.written",
    },
    "whatever its caller gave": {
        "cardtable.match.real_time.Clockwork.holds",
        "cardtable.match.real_time.Clockwork.intend",
        "cardtable.match.real_time.Dropped.tag",
        "cardtable.match.real_time.Tick.tags",
        "cardtable.envs.gym",
        "cardtable.lab.league.league",
        "cardtable.lab.simulate.Stopped.__init__",
    },
    "a library without types": {
        "cardtable.envs.gymnasium_vector.Gym.close_extras",
        "cardtable.envs.gymnasium_vector.Gym.reset",
        "cardtable.envs.gymnasium_vector.Gym.step",
        "cardtable.envs.openspiel.Observer.__init__",
        "cardtable.envs.openspiel.SpielGame.make_py_observer",
        "cardtable.envs.openspiel.SpielState.__deepcopy__",
        "cardtable.envs.pettingzoo.AEC.observe",
        "cardtable.envs.pettingzoo.AEC.reset",
        "cardtable.envs.pettingzoo.Parallel.reset",
        "cardtable.envs.pettingzoo.Parallel.step",
        "cardtable.lab.rivals.able_runner",
        "cardtable.lab.rivals.ismcts_runner",
        "cardtable.lab.rivals.loop_runner",
        "cardtable.lab.rivals.openspiel",
        "cardtable.lab.rivals.rollout_runner",
    },
    "messages and facts as they are sent": {
        "cardtable.rules.events.EventSeen.reason",
        "cardtable.rules.events.EventSeen.says",
        "cardtable.rules.zones.ZoneSeen.facts",
        "cardtable.rules.zones.ZoneSeen.label",
        "cardtable.rules.zones.ZoneSeen.spread",
        "cardtable.rules.zones.ZoneSeen.together",
    },
    "a field of a compiled state": {"cardtable.rules.positions.cards_text", "cardtable.rules.positions.ints"},
    "what can stand for a value of any type": {"cardtable.rules.rulebook.UNKNOWN"},
    "values whose types their names say (docs/api.md); `get` of an alias of Any would be optional to mypy": {
        "cardtable.rules.zones.Zone.notes"
    },
    "what the aliases are of": {"cardtable.base.types.Json"},
}


def is_private(name: str) -> bool:
    """Whether a name is of nobody's concern but its module's."""
    return name.startswith("_") and not name.endswith("__")


def has_any(node: ast.AST | None) -> bool:
    """Whether an annotation has `Any` in it."""
    return node is not None and any(isinstance(part, ast.Name) and part.id == "Any" for part in ast.walk(node))


def with_any(body: list[ast.stmt], where: str) -> Iterator[str]:
    """The public names below `where` that have `Any` in their signature. Rules may: the compiler knows their types."""
    for node in body:
        match node:
            case ast.If():
                yield from with_any([*node.body, *node.orelse], where)
            case ast.ClassDef() if not is_private(node.name):
                yield from with_any(node.body, f"{where}.{node.name}")
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not is_private(node.name):
                given = [each.annotation for each in ast.walk(node.args) if isinstance(each, ast.arg)]
                if "rule" not in map(ast.unparse, node.decorator_list) and any(map(has_any, [*given, node.returns])):
                    yield f"{where}.{node.name}"
            case ast.AnnAssign(target=ast.Name(id=name)) if not is_private(name):
                if has_any(node.annotation) or (ast.unparse(node.annotation) == "TypeAlias" and has_any(node.value)):
                    yield f"{where}.{name}"


def test_what_is_public_has_types() -> None:
    """Whoever needs `Any` in a public signature names it in ANY, with its reason."""
    public = [module for module in FILES if not under(module, *(f"cardtable.{home}" for home in WITHIN))]
    assert sorted(name for module in public for name in with_any(tree(module).body, module)) == sorted(
        set[str]().union(*ANY.values())
    )


def test_the_check_of_types_can_fail() -> None:
    source = ast.parse(
        "x: list[Any]\ny: TypeAlias = dict[str, Any]\nz: int = Any\ndef f(*a: Any) -> int: ...\nasync def g() -> Any: "
        "...\ndef _h(a: Any): ...\n"
        "@rule\ndef r(s: Any): ...\n@generic\ndef s(s: Any): ...\nclass C:\n    a: Any\n    _b: Any\n    def "
        "__init__(self, *, c: Any): ...\n"
    )
    assert list(with_any(source.body, "m")) == ["m.x", "m.y", "m.f", "m.g", "m.s", "m.C.a", "m.C.__init__"]


#: what `banned-api` in pyproject.toml cannot name: a method of event loops, and signals by their names as strings, but
#: for modules that all systems have
OF_SOME_SYSTEMS = re.compile(r"\badd_signal_handler\b|[\"']SIG(?!INT\b|TERM\b|_)[A-Z]+[12]?[\"']")


def test_one_module_has_what_only_some_systems_have() -> None:
    assert OF_SOME_SYSTEMS.search("loop.add_signal_handler(1)")
    assert OF_SOME_SYSTEMS.search("getattr(signal, 'SIGHUP')")
    assert not OF_SOME_SYSTEMS.search("getattr(signal, 'SIGTERM')")
    modules = {module for module in MODULES if OF_SOME_SYSTEMS.search(FILES[module].read_text("utf-8"))}
    assert modules == {"cardtable.base.platform"}
