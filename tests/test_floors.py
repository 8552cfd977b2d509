"""The house has floors, and imports go only downward (docs/architecture.md)."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "cardtable"

#: Every module or package right below `cardtable`, by floor.
FLOORS: tuple[tuple[str, ...], ...] = (
    ("card_words", "cards", "errors", "message", "options", "rulebook", "text", "toml"),
    ("kernel", "worlds", "contract", "events", "game", "moves", "placing", "zones"),
    ("games",),
    ("catalog",),
    ("match", "position", "view", "record", "script"),
    ("search", "bots", "warm", "review"),
    ("lab", "table"),
    ("server", "client", "envs"),
    ("cli", "__main__"),
)
FLOOR = {name: floor for floor, names in enumerate(FLOORS) for name in names}


def files() -> dict[str, Path]:
    """Module name -> file, of the whole package."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


FILES = files()
MODULES = [name for name in FILES if name != "cardtable"]  # the package itself offers every floor, when asked


@cache
def tree(module: str) -> ast.Module:
    """The parsed source of a module."""
    return ast.parse(FILES[module].read_text("utf-8"))


def names_imported(source: ast.Module) -> Iterator[tuple[str, str]]:
    """Every import of a source, wherever it stands: module, and the name taken from it ("" for the module itself)."""
    for node in ast.walk(source):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            yield from ((node.module or "", alias.name) for alias in node.names)


def resolved(source: ast.Module) -> set[str]:
    """The package's modules that a source imports."""
    found = set()
    for name, taken in names_imported(source):
        if name.split(".")[0] == "cardtable":
            found.add(f"{name}.{taken}" if f"{name}.{taken}" in FILES else name)
    return found


def imported(module: str) -> set[str]:
    """The package's modules that a module imports, wherever it does."""
    return resolved(tree(module))


def outside(module: str) -> set[str]:
    """The top-level names of what a module imports from elsewhere."""
    return {name.split(".")[0] for name, _ in names_imported(tree(module))} - {"cardtable"}


def under(module: str, *homes: str) -> bool:
    """Whether a module is one of some packages, or in them."""
    return any(module == home or module.startswith(home + ".") for home in homes)


def floor_of(module: str) -> int:
    """The floor of a module of the package."""
    return FLOOR[module.split(".")[1]]


def uses_rule(module: str) -> bool:
    """Whether a module has compiled rules: it imports `rule` or `generic` from the kernel."""
    return any(under(name, "cardtable.kernel") and taken in ("rule", "generic") for name, taken in names_imported(tree(module)))


def test_every_module_has_a_floor() -> None:
    """A module without one must be named in FLOORS and in docs/architecture.md."""
    assert [module for module in MODULES if module.split(".")[1] not in FLOOR] == []


def test_the_drawing_of_the_floors_is_true() -> None:
    """In docs/architecture.md each line begins with a module and its floor; others of that floor are named in its text."""
    text = (PACKAGE.parent / "docs" / "architecture.md").read_text("utf-8").partition("## 1. The floors")[2].partition("\n## ")[0]
    lines = re.findall(r"^  ([a-z_]+)(?:\.py|/) +(\d)  (.*)$", text, re.MULTILINE)
    for name, floor, _ in lines:
        assert FLOOR[name] == int(floor), name
    assert [int(floor) for _, floor, _ in lines] == sorted(int(floor) for _, floor, _ in lines)
    named = {(name, FLOOR[name]) for name, _, _ in lines}
    for _, floor, rest in lines:
        named |= {(other, int(floor)) for other in re.findall(r"\b([a-z_]+)(?:\.py|/)", rest) if other in FLOOR}
    apart = {("envs", 7), ("__main__", 8)}  # told below the drawing
    assert named | apart == set(FLOOR.items())


def test_imports_go_downward() -> None:
    found = [(module, name) for module in MODULES for name in imported(module) - {"cardtable"} if floor_of(name) > floor_of(module)]
    assert found == []


def test_nothing_reaches_up_through_the_package_itself() -> None:
    """`from cardtable import Match` inside the package would be an import of a floor that the text does not show."""
    for module in MODULES:
        taken = {taken for name, taken in names_imported(tree(module)) if name == "cardtable" and f"cardtable.{taken}" not in FILES}
        assert taken <= {"__version__"}, f"{module} takes {', '.join(sorted(taken))} from cardtable"


#: A match has its record and a record its match: each offers the other to whoever has one of them.
MUTUAL = {("cardtable.match", "cardtable.record")}


def needed(module: str) -> set[str]:
    """The package's modules that a module uses, also in functions; imports for types only do not count."""

    class Types(ast.NodeTransformer):
        def visit_If(self, node: ast.If) -> ast.AST | None:
            return None if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING" else self.generic_visit(node)

    return resolved(Types().visit(ast.parse(FILES[module].read_text("utf-8")))) - {"cardtable", module}


def test_no_import_goes_round_in_a_circle() -> None:
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " -> ".join((*path[path.index(module) :], module))
        if module not in done:
            for name in sorted(needed(module)):
                if (module, name) not in MUTUAL:
                    visit(name, (*path, module))
            done.add(module)

    for module in MODULES:
        visit(module, ())


def family(module: str) -> str:
    """The family's package that a module is in; "" for what the families share and for other floors."""
    parts = module.split(".")
    inside = parts[1] == "games" and len(parts) > 2 and f"cardtable.games.{parts[2]}" in FILES
    return parts[2] if inside and FILES[f"cardtable.games.{parts[2]}"].name == "__init__.py" else ""


def test_families_of_games_do_not_know_each_other() -> None:
    """What two families share lies beside them."""
    games = [name for name in MODULES if under(name, "cardtable.games")]
    assert [(module, name) for module in games for name in imported(module) if family(name) and family(name) != family(module)] == []


def test_numba_is_imported_by_the_kernel_only() -> None:
    assert [module for module in MODULES if not under(module, "cardtable.kernel") and outside(module) & {"numba", "llvmlite"}] == []


def test_only_the_command_line_prints() -> None:
    silent = [module for module in MODULES if not under(module, "cardtable.cli", "cardtable.__main__")]
    assert [module for module in silent if outside(module) & {"click", "rich"}] == []
    assert [f"{module}:{line}" for module in silent for line in printing(tree(module))] == []


def printing(source: ast.Module) -> Iterator[int]:
    """The lines that print, or take a standard stream."""
    for node in ast.walk(source):
        if isinstance(node, ast.Name) and node.id in ("print", "input"):
            yield node.lineno
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys" and node.attr in ("stdout", "stderr", "stdin"):
            yield node.lineno


def test_the_cache_is_keyed_by_every_compiled_file() -> None:
    """Numba does not see a change in another file, and freezes what rules import: all of that is in the cache's key."""
    from cardtable.kernel import cache as kept

    keyed = set(kept.compiled_files())
    compiled = {module for module in MODULES if uses_rule(module) and not under(module, "cardtable.kernel")}
    frozen = {name for module in compiled for name in imported(module)}
    needed = {FILES[module] for module in compiled | frozen} | {FILES[module] for module in MODULES if under(module, "cardtable.kernel")}
    # A package that only gathers names has nothing to compile.
    needed = {path for path in needed if path.name != "__init__.py" or path.parent.name == "kernel"}
    assert not needed - keyed, f"missing from kernel.cache.COMPILED: {sorted(path.relative_to(PACKAGE).as_posix() for path in needed - keyed)}"
    assert not keyed - needed, f"not compiled, so not for kernel.cache.COMPILED: {sorted(path.relative_to(PACKAGE).as_posix() for path in keyed - needed)}"


def test_the_check_of_floors_can_fail() -> None:
    source = ast.parse("import numba.types\nfrom cardtable.match import Match\ndef f():\n    from cardtable import kernel\n")
    assert list(names_imported(source)) == [("numba.types", ""), ("cardtable.match", "Match"), ("cardtable", "kernel")]
    assert list(printing(ast.parse("x = 1\nprint(x)\nsys.stdout.write(x)\n"))) == [2, 3]
    assert floor_of("cardtable.kernel.luck") < floor_of("cardtable.games.fan_tan.rules") < floor_of("cardtable.cli")
    assert family("cardtable.games.fan_tan.rules") == "fan_tan"
    assert family("cardtable.games.chips") == ""
