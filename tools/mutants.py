"""Change a game's rules in one place at a time, and check whether a test of that game fails.

    make mutants GAME=fan-tan SEED=1 COUNT=100        the same as: python tools/mutants.py fan-tan --seed 1 --count 100
    python tools/mutants.py fan-tan --write           also write the figures to tests/mutants.toml, from which
                                                      `make conformance` prints them
    python tools/mutants.py fan-tan --only settle     mutants of one function
    python tools/mutants.py --tidy                    take what is no mutant of today's rules out of tests/mutants.toml

Mutants are drawn, by seed and game, from all modules with the game's rules: those of its package and the shared ones
that it imports (chips, tricks, scores, captures, redaction and resampling), without texts, options and the heuristic.
The checks are the tests in the game's own files, the contract's tests, golden deals and environments of the game, and
its signatures, one for each house that has a preset or the value of an option that fewer than two others before it
have.

The rules run as plain Python, in one process that has imported everything and collected the tests. First each check is
run alone, to find out how long it takes and which lines of the rules it runs. Then each mutant gets a fork of that
process, in which one function's code object is replaced, wherever it was imported; the fork runs the checks that reach
the changed line, beginning with fast ones that have caught other mutants, for up to two minutes of processor time. A
check that takes eight times the processor time that it took before counts as failed, because the mutant may play for
ever.

A mutant that survives shows that no test covers a rule, or that the change makes no difference. Mutants that have been
examined and make no difference are listed in tests/mutants.toml with the reason; the exit code is the number of the
others.

Of the maintained tools, mutmut skips decorated functions, and every rule is decorated; cosmic-ray restarts all tests
for each mutant: hours for a game instead of minutes.
"""

from __future__ import annotations
import __future__

import argparse
import ast
import contextlib
import copy
import functools
import inspect
import itertools
import json
import multiprocessing
import os
import random
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
LEDGER = ROOT / "tests" / "mutants.toml"
HEAD = "# Mutants of the rules (tools/mutants.py): the runs, and the changes that change nothing, each with the reason."
APART = ("bounds", "heuristic")  #: functions without rules of play: limits, the heuristic
APART_FILES = ("policy.py",)
SHARED_TESTS = [f"test_{name}.py" for name in ("contract", "golden", "forced", "worlds_real", "chain", "environments")]
#: what identifies a mutant in tests/mutants.toml; with `game`, it makes no difference only in that game
KEY = ("file", "function", "before", "after")
LONGEST = 25  #: seconds of processor time; a check that takes longer in plain Python is left out
BUDGET = 120.0  #: seconds of processor time that the checks of one mutant take without it
ALIKE = 2  #: signatures for each preset and each value of an option; the tests of the kernel check all of them
MEMORY = 4 << 30  #: bytes that a mutant may take
SIZED = {"empty", "zeros", "full", "ones"}  #: calls whose numbers are sizes of work space
#: each comparison and each operator, and what it becomes
COMPARED: dict[type, tuple[type, ...]] = {ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.In: (ast.NotIn,)}
COMPARED |= {ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,)}
COMPARED |= {ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,)}
REPLACED: dict[type, type] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult}
REPLACED |= {ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd}
REPLACED |= {ast.LShift: ast.RShift, ast.RShift: ast.LShift}

Teller = Callable[[Any], None]  #: reports to the parent process
Change = Callable[[Any], Any]  #: takes a node, and returns its replacement
Place = tuple[Any, str, int | None]  #: a node, the field of it, and the index if that is a list


@dataclass(frozen=True)
class Mutant:
    """A function of a rules file with one change."""

    file: str  #: from the root
    function: str
    lines: tuple[int, int]  #: of the statement, or of the head of one that has a body
    before: str  #: the statement, in one line
    after: str
    code: CodeType = field(compare=False, repr=False)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies it in tests/mutants.toml."""
        return self.file, self.function, self.before, self.after

    def __str__(self) -> str:
        return f"{self.file}:{self.lines[0]} {self.function}: {self.before}  ->  {self.after}"


def changes(node: ast.AST) -> Iterator[Change]:
    """The changes of a node, each as a function that takes a copy of it."""
    match node:
        case ast.Compare(ops=[op]):
            yield from (lambda n, new=new: _with(n, ops=[new()]) for new in COMPARED[type(op)])
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in REPLACED:
            yield lambda n: _with(n, op=REPLACED[type(n.op)]())
        case ast.BoolOp():
            yield lambda n: _with(n, op=ast.Or() if isinstance(n.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.Invert() | ast.USub()):
            yield lambda n: n.operand
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            yield lambda n: ast.copy_location(ast.Constant(n.value + 1), n)
            yield lambda n: ast.copy_location(ast.Constant(n.value - 1), n)
        case ast.Call(func=ast.Name(id="min" | "max" as name)):
            other = "max" if name == "min" else "min"
            yield lambda n: _with(n, func=ast.copy_location(ast.Name(other, ast.Load()), n.func))
        case ast.Expr(value=ast.Call()) | ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.Continue():
            yield lambda n: ast.copy_location(ast.Pass(), n)
    match node:
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            yield lambda n: _with(n, test=ast.copy_location(ast.UnaryOp(ast.Not(), n.test), n.test))
        case ast.AugAssign():
            yield lambda n: ast.copy_location(ast.Pass(), n)


def _with(node: Any, **fields: Any) -> Any:
    for name, value in fields.items():
        setattr(node, name, value)
    return node


def _inner(node: ast.AST) -> Iterator[tuple[Place, Any]]:
    """Every place below a node where a change can be made, and what is there."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SIZED:
        return
    declares = isinstance(node, ast.FunctionDef | ast.AnnAssign | ast.Lambda)
    for name, value in ast.iter_fields(node):
        if declares and name in ("annotation", "returns", "decorator_list", "args"):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST):
                yield (node, name, index), child
                yield from _inner(child)


def _line(statement: ast.stmt) -> str:
    return ast.unparse(ast.fix_missing_locations(statement)).splitlines()[0]


def mutants(file: str, source: str, only: str = "") -> Iterator[Mutant]:
    """Every change of an operator, number, condition or statement in the functions of a source. only: in one
    function.
    """
    for function in ast.parse(source).body:
        if not isinstance(function, ast.FunctionDef) or function.name in APART or only not in ("", function.name):
            continue
        for place, (_, child) in enumerate(_inner(function)):
            for which in range(sum(1 for _ in changes(child))):
                yield _mutant(file, function, place, which)


def _mutant(file: str, original: ast.FunctionDef, place: int, which: int) -> Mutant:
    """A function with change number `which` at place number `place`."""
    function: Any = copy.deepcopy(original)
    (parent, name, index), child = next(itertools.islice(_inner(function), place, None))
    # The innermost statement around it: ast.walk goes from the outside inwards.
    *_, statement = (
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and node is not function and any(inner is child for inner in ast.walk(node))
    )
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    lines, before = (statement.lineno, max(last, statement.lineno)), _line(statement)
    changed = list(changes(child))[which](copy.copy(child))
    if index is None:
        setattr(parent, name, changed)
    else:
        getattr(parent, name)[index] = changed
    after = _line(changed if child is statement else statement)
    alone = ast.fix_missing_locations(ast.Module([function], []))
    module = compile(alone, str(ROOT / file), "exec", flags=__future__.annotations.compiler_flag)
    code = next(const for const in module.co_consts if isinstance(const, CodeType) and const.co_name == function.name)
    return Mutant(file, function.name, lines, before, after, code)


def apply(mutant: Mutant, module: ModuleType) -> None:
    """Give the function its changed code, wherever it has been imported."""
    function = inspect.unwrap(getattr(module, mutant.function))
    assert isinstance(function, FunctionType), f"{mutant.function} is compiled: set NUMBA_DISABLE_JIT=1"
    function.__code__ = mutant.code


@dataclass
class Check:
    """Something that passes while the rules are right."""

    name: str
    run: Callable[[], bool]
    seconds: float = 0.0
    lines: dict[str, set[int]] = field(default_factory=dict)  #: file -> the lines of the rules that it runs
    kills: int = 0

    def reaches(self, mutant: Mutant) -> bool:
        """Whether it runs the changed statement."""
        return not self.lines.get(mutant.file, set()).isdisjoint(range(mutant.lines[0], mutant.lines[1] + 1))


def in_a_fork(work: Callable[[Teller], None]) -> tuple[list[Any], int]:
    """Run work in a fork of this process; return what it reports, and the signal that ended it (0: none)."""
    context = multiprocessing.get_context("fork")
    reader, writer = context.Pipe(duplex=False)

    def child() -> None:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        work(writer.send)

    process = context.Process(target=child)
    process.start()
    writer.close()
    answers = []
    with reader, contextlib.suppress(EOFError):
        while True:
            answers.append(reader.recv())
    process.join()
    return answers, max(0, -(process.exitcode or 0))


def measure(check: Check, files: list[str]) -> bool:
    """Run a check without mutants, and note its time and its lines.

    False if it takes too long; RuntimeError if it fails.
    """
    import coverage

    def work(tell: Teller) -> None:
        signal.setitimer(signal.ITIMER_PROF, 4 * LONGEST)
        paths = {file: str(ROOT / file) for file in files}
        tracer = coverage.Coverage(data_file=None, config_file=False, include=list(paths.values()))
        tracer.set_option("run:disable_warnings", ["no-data-collected"])
        began = time.process_time()
        with tracer.collect():
            green = check.run()
        seconds, data = time.process_time() - began, tracer.get_data()
        tell((green, seconds, {file: set(data.lines(path) or ()) for file, path in paths.items()}))

    answers, ended = in_a_fork(work)
    if not answers and ended == signal.SIGPROF:
        return False
    if not answers:
        raise RuntimeError(f"{check.name} ended without an answer, signal {ended}")
    green, check.seconds, check.lines = answers[0]
    if not green:
        raise RuntimeError(f"{check.name} is red without any change")
    return check.seconds <= LONGEST


def judge(mutant: Mutant, module: ModuleType, checks: list[Check]) -> str:
    """What killed a mutant: the check's name, with "timed out" if it took too long; "" if it survives."""
    ranked = sorted((one for one in checks if one.reaches(mutant)), key=lambda one: one.seconds / (1 + one.kills))
    spent = itertools.accumulate(check.seconds for check in ranked)
    asked = [check for check, so_far in zip(ranked, spent, strict=True) if so_far <= BUDGET]

    def work(tell: Teller) -> None:
        apply(mutant, module)
        for number, check in enumerate(asked):
            tell((number, True))
            signal.setitimer(signal.ITIMER_PROF, 2.0 + 8 * check.seconds)
            green = check.run()
            signal.setitimer(signal.ITIMER_PROF, 0)
            if not green:
                tell((number, False))
                return

    answers, ended = in_a_fork(work)
    if not answers or (answers[-1][1] and not ended):
        return ""
    check: Check = asked[answers[-1][0]]
    check.kills += 1
    return check.name + {0: "", signal.SIGPROF: " (timed out)"}.get(ended, f" (signal {ended})")


class Runner:
    """A pytest plugin that runs the mutants instead of the collected tests."""

    def __init__(self, given: argparse.Namespace, game: Any, family: list[str]) -> None:
        """family: the names of the games in the game's package."""
        self.given, self.game, self.family = given, game, family
        self.red = False
        self.survivors = 0

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failed test."""
        self.red = self.red or report.failed

    def item_check(self, item: pytest.Item) -> Check:
        """A test as a check."""

        def run() -> bool:
            self.red = False
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
            return not self.red

        return Check(item.nodeid.rpartition("/")[2], run)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the checks, draw the mutants, judge them; `survivors`: how many survive that are not known to make no
        difference.
        """
        given, began = self.given, time.monotonic()
        modules = modules_of(self.game.rules)
        checks = []
        items = [self.item_check(item) for item in session.items if concerns(item, self.family)]
        for check in items + signatures(self.family):
            if measure(check, list(modules)):
                checks.append(check)
            else:
                print(f"left out, it takes too long: {check.name}")
        alone, took = sum(check.seconds for check in checks), time.monotonic() - began
        print(f"{len(checks)} checks, {alone:.0f} s by themselves, measured in {took:.0f} s", flush=True)
        home = f"cardtable/games/{self.game.package.rpartition('.')[2]}/"
        played = [check for check in checks if check.name.startswith("signature ")]
        # of the shared rules, only the functions that the game uses
        every = [
            mutant
            for file in modules
            for mutant in mutants(file, (ROOT / file).read_text("utf-8"), given.only)
            if file.startswith(home) or any(check.reaches(mutant) for check in played)
        ]
        for seed in given.seed:
            chosen = random.Random(f"{self.game.name} {seed}").sample(every, min(given.count, len(every)))
            tally = self.sample(sorted(chosen, key=lambda m: (m.file, m.lines, m.after)), modules, checks)
            many, took = f"{len(chosen)} of {len(every)} mutants", time.monotonic() - began
            print(f"{self.game.name}, seed {seed}: {many}, {dict(tally)}, {took:.0f} s", flush=True)
            self.survivors += tally["SURVIVES"]
            if given.write:
                enter(self.game.name, seed, len(chosen), tally)
        return True

    def sample(self, chosen: list[Mutant], modules: dict[str, ModuleType], checks: list[Check]) -> Counter[str]:
        """Print what killed each mutant of a sample; how many of each kind there were."""
        judged = {
            tuple(each[name] for name in KEY): each["why"]
            for each in equivalents()
            if each.get("game", self.game.name) == self.game.name
        }
        tally: Counter[str] = Counter()
        for m in chosen:
            killer = judge(m, modules[m.file], checks)
            why = killer or judged.get(m.key, "")
            kind = "timed out" if killer.endswith("(timed out)") else "killed"
            kind = kind if killer else "equivalent" if why else "SURVIVES"
            tally[kind] += 1
            tally["by signature"] += killer.startswith("signature ")
            unreached = "" if any(check.reaches(m) for check in checks) else "no check reaches it"
            print(f"{kind:<10} {m}   [{why or unreached}]", flush=True)
        return tally


def concerns(item: pytest.Item, family: list[str]) -> bool:
    """Whether a test belongs to these games: it is in a file of theirs, or has one of them among its parameters."""
    if item.path.name not in SHARED_TESTS:
        return True
    values = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    names = ((value, getattr(value, "game", None), getattr(value, "name", None)) for value in values)
    return any(isinstance(name, str) and name in family for name in itertools.chain(*names))


def signatures(family: list[str]) -> list[Check]:
    """Houses of the games as checks, whether the story of each has the recorded signature: the houses with something, a
    preset or the value of an option, that few of those before have.
    """
    from cardtable.testing.houses import great_houses, single_houses
    from tests.support.games import story

    known = story.kept()

    def told_as(house: Any) -> bool:  # False if it cannot be told at all
        with contextlib.suppress(Exception):
            return bool(story.story(house) == (known["houses"][str(house)], known["states"][str(house)]))
        return False

    frequency: Counter[Any] = Counter()
    chosen = []
    for house in dict.fromkeys(house for house in [*single_houses(), *great_houses()] if house.game in family):
        traits = {(house.game, house.preset), (house.game, house.seats), *((house.game, rule) for rule in house.given)}
        if any(frequency[trait] < ALIKE for trait in traits):
            chosen.append(Check(f"signature {house}", functools.partial(told_as, house)))
            frequency.update(traits)
    return chosen


def modules_of(rules: ModuleType) -> dict[str, ModuleType]:
    """The modules with a game's rules, by file: its own, and the compiled ones that these import from
    `cardtable.games`.
    """
    from cardtable.kernel.cache import compiled_files

    compiled = {Path(path).relative_to(ROOT).as_posix() for path in compiled_files()}
    modules: dict[str, ModuleType] = {}
    ahead = [rules]
    while ahead:
        module = ahead.pop()
        path = Path(module.__file__ or "")
        file = path.relative_to(ROOT).as_posix()
        if file in modules or file not in compiled or path.name in APART_FILES:
            continue
        modules[file] = module
        imported = (each.module for each in ast.parse(path.read_text("utf-8")).body if isinstance(each, ast.ImportFrom))
        ahead += [sys.modules[name] for name in imported if name in sys.modules and "cardtable.games." in f"{name}"]
    return dict(sorted(modules.items()))


def ledger() -> dict[str, Any]:
    """The content of tests/mutants.toml: the runs, and for each file the changes that change nothing."""
    return tomllib.loads(LEDGER.read_text("utf-8"))


def equivalents() -> list[dict[str, str]]:
    """The mutants that make no difference, each with its reason."""
    return [
        {"file": file} | entry | {"after": after}
        for file, entries in ledger()["equivalent"].items()
        for entry in entries
        for after in entry["after"]
    ]


def stale(only: str = "") -> list[dict[str, str]]:
    """What the ledger has, or has for one file, that is no mutant of today's rules: its function, or the statement in
    it, has changed.
    """

    @functools.cache
    def keys(file: str, function: str) -> set[tuple[str, ...]]:
        path = ROOT / file
        return {mutant.key for mutant in mutants(file, path.read_text("utf-8"), function)} if path.exists() else set()

    return [
        entry
        for entry in equivalents()
        if only in ("", entry["file"])
        and tuple(entry[name] for name in KEY) not in keys(entry["file"], entry["function"])
    ]


def write(runs: list[dict[str, Any]], equivalent: list[dict[str, str]]) -> None:
    """Write tests/mutants.toml: a line for each run, and for the changes of a statement that have one reason."""
    grouped: dict[str, dict[tuple[str, ...], list[str]]] = {}
    for entry in sorted(equivalent, key=lambda entry: [entry[name] for name in KEY]):
        statement = tuple(entry.get(name, "") for name in ("function", "before", "game", "why"))
        grouped.setdefault(entry["file"], {}).setdefault(statement, []).append(entry["after"])

    def rows(name: str, tables: Iterable[Mapping[str, Any]]) -> Iterator[str]:
        yield f"{name} = ["
        for table in tables:
            pairs = (f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in table.items() if value != "")
            yield f"    {{ {', '.join(pairs)} }},"
        yield "]"

    lines = [HEAD, "", *rows("run", sorted(runs, key=lambda run: (run["game"], run["seed"]))), "", "[equivalent]"]
    for file, statements in grouped.items():
        tables = (
            {"function": function, "before": before, "after": after, "game": game, "why": why}
            for (function, before, game, why), after in statements.items()
        )
        lines += rows(json.dumps(file), tables)
    LEDGER.write_text("\n".join(lines) + "\n", "utf-8")


def enter(game: str, seed: int, count: int, tally: Counter[str]) -> None:
    """Write a run's figures to tests/mutants.toml, replacing an earlier run with the same game and seed."""
    commit = subprocess.check_output(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, text=True).strip()
    run = {"game": game, "seed": seed, "mutants": count}
    run |= {name.replace(" ", "_"): tally[name] for name in ("killed", "timed out", "by signature", "equivalent")}
    run |= {"survived": tally["SURVIVES"], "date": time.strftime("%Y-%m-%d", time.gmtime()), "commit": commit}
    others = [each for each in ledger()["run"] if (each["game"], each["seed"]) != (game, seed)]
    write([*others, run], equivalents())


def main() -> int:
    """Print each mutant and what killed it; return the number of survivors as the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", nargs="?", help="a game's name, such as fan-tan")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="a sample for each")
    parser.add_argument("--only", default="", help="only mutants of this function")
    parser.add_argument("--write", action="store_true", help="write the figures to tests/mutants.toml")
    parser.add_argument("--tidy", action="store_true", help="take what is no mutant any more out of tests/mutants.toml")
    given = parser.parse_args()
    if given.tidy:
        gone = stale()
        print(*gone, f"{len(gone)} taken out", sep="\n")
        write(ledger()["run"], [entry for entry in equivalents() if entry not in gone])
        return 0
    if not given.game:
        parser.error("name a game")
    if os.environ.get("NUMBA_DISABLE_JIT") != "1":
        os.environ.update(NUMBA_DISABLE_JIT="1", CI="1", PYTHONPATH=str(ROOT))
        os.execv(sys.executable, [sys.executable, *sys.argv])
    sys.path.insert(0, str(ROOT))
    from cardtable import CardtableError
    from cardtable.rules import catalog

    try:
        game = catalog.find(given.game)
    except CardtableError as error:
        parser.error(str(error))
    family = [other.name for other in catalog.games().values() if other.package == game.package]
    patterns = {*SHARED_TESTS, *(f"test_*{name.replace('-', '_')}*.py" for name in family)}
    files = sorted({str(path) for pattern in patterns for path in (ROOT / "tests").rglob(pattern)})
    runner = Runner(given, game, family)
    options = ["-o", "addopts=", "-s", "--rootdir", str(ROOT)]
    options += [word for name in ("terminal", "cacheprovider", "xdist") for word in ("-p", f"no:{name}")]
    # The package is imported before pytest is, which cannot rewrite its plugin's assertions then.
    options += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
    done = pytest.main([*options, *files], plugins=[runner])
    return runner.survivors if done in (0, 5) else int(done)


if __name__ == "__main__":
    raise SystemExit(main())
