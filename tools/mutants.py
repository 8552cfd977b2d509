"""Change a game's rules in one place at a time, and check whether a test of that game fails.

    make mutants GAME=fan-tan SEED=1 COUNT=100        the same as: python tools/mutants.py fan-tan --seed 1 --count 100
    python tools/mutants.py fan-tan --write           also write the figures to tests/mutants.toml, from which
                                                      `make conformance` prints them
    python tools/mutants.py fan-tan --only settle     mutants of one function
    python tools/mutants.py fan-tan --afresh          also those that an earlier run killed, which else count as killed
                                                      until their function changes

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

Two maintained tools were considered. mutmut skips decorated functions, and every rule is decorated. cosmic-ray rewrites
the file and restarts the test command for each mutant, with all tests and in no order: hours for a game instead of
minutes.
"""

from __future__ import annotations
import __future__

import argparse
import ast
import copy
import functools
import hashlib
import inspect
import itertools
import json
import os
import pickle
import random
import resource
import signal
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
KEPT = ROOT / "tests" / "mutants.toml"
APART = ("bounds", "heuristic")  #: functions without rules of play: limits, the heuristic
APART_FILES = ("policy.py",)
SHARED_TESTS = (
    "test_contract.py",
    "test_golden.py",
    "test_forced.py",
    "test_worlds_real.py",
    "test_chain.py",
    "test_environments.py",
)
#: what identifies a mutant in tests/mutants.toml; with `game`, it makes no difference only in that game
KEY = (
    "file",
    "function",
    "before",
    "after",
)
LONGEST = 25  #: seconds of processor time; a check that takes longer in plain Python is left out
BUDGET = 120.0  #: seconds of processor time that the checks of one mutant take without it
ALIKE = 2  #: signatures for each preset and each value of an option; the tests of the kernel check all of them
MEMORY = 4 << 30  #: bytes that a mutant may take

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
REPLACED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
SIZED = {"empty", "zeros", "full", "ones"}  #: calls whose numbers are sizes of work space


@dataclass(frozen=True)
class Mutant:
    """A function of a rules file with one change."""

    file: str  #: from the root
    function: str
    lines: tuple[int, int]  #: of the statement, or of the head of one that has a body
    before: str  #: the statement, in one line
    after: str
    place: tuple[int, int]  #: the number of the changed node in the function, and of the change
    source: str = field(repr=False)  #: of the function as it is, without its docstring
    code: CodeType = field(compare=False, repr=False)

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What identifies it in tests/mutants.toml."""
        return self.file, self.function, self.before, self.after

    @property
    def digest(self) -> str:
        """What identifies it among those killed: the function, the change, and its place in the function."""
        return hashlib.sha256("\n".join([self.source, *self.key, str(self.place)]).encode()).hexdigest()[:20]

    def __str__(self) -> str:
        return f"{self.file}:{self.lines[0]} {self.function}: {self.before}  ->  {self.after}"


Teller = Callable[[Any], None]  #: reports to the parent process
Change = Callable[[Any], Any]  #: takes a node, and returns its replacement


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
            yield lambda n: _with(
                n, func=ast.copy_location(ast.Name("max" if name == "min" else "min", ast.Load()), n.func)
            )
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


def _inner(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None]]:
    """Every place below a node where a change can be made: the parent, the field, and the index if that is a list."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in SIZED:
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "args") and isinstance(
            node, ast.FunctionDef | ast.AnnAssign | ast.Lambda
        ):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST):
                yield node, name, index
                yield from _inner(child)


def _head(statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, or of its head if it has a body."""
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if body else statement.end_lineno or statement.lineno
    return statement.lineno, max(last, statement.lineno)


def _line(statement: ast.stmt) -> str:
    return ast.unparse(ast.fix_missing_locations(statement)).splitlines()[0]


def mutants(file: str, source: str, only: str = "") -> Iterator[Mutant]:
    """Every change of an operator, number, condition or statement in the functions of a source. only: in one
    function.
    """
    for function in ast.parse(source).body:
        if not isinstance(function, ast.FunctionDef) or function.name in APART or only not in ("", function.name):
            continue
        for place, (parent, name, index) in enumerate(_inner(function)):
            child = getattr(parent, name) if index is None else getattr(parent, name)[index]
            for which in range(sum(1 for _ in changes(child))):
                yield _mutant(file, function, place, which)


def _mutant(file: str, original: ast.FunctionDef, place: int, which: int) -> Mutant:
    """A function with change number `which` at place number `place`."""
    function: Any = copy.deepcopy(original)
    whole = ast.unparse(_undocumented(function))
    parent, name, index = next(itertools.islice(_inner(function), place, None))
    child = getattr(parent, name) if index is None else getattr(parent, name)[index]
    chain = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.stmt) and node is not function and any(inner is child for inner in ast.walk(node))
    ]
    statement = chain[-1]  # the innermost: ast.walk goes from the outside inwards
    lines, before = _head(statement), _line(statement)
    changed = list(changes(child))[which](copy.copy(child))
    if index is None:
        setattr(parent, name, changed)
    else:
        getattr(parent, name)[index] = changed
    after = _line(changed if child is statement else statement)
    alone = ast.fix_missing_locations(ast.Module([function], []))
    module = compile(alone, str(ROOT / file), "exec", flags=__future__.annotations.compiler_flag)
    code = next(const for const in module.co_consts if isinstance(const, CodeType) and const.co_name == function.name)
    return Mutant(file, function.name, lines, before, after, (place, which), whole, code)


def _undocumented(function: ast.FunctionDef) -> ast.FunctionDef:
    """A copy of a function without its docstring."""
    bare = copy.copy(function)
    if ast.get_docstring(function) is not None:
        bare.body = function.body[1:] or [ast.Pass()]
    return bare


def apply(mutant: Mutant, module: ModuleType) -> None:
    """Give the function its changed code, for everybody who has imported it."""
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
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        with os.fdopen(writer, "wb") as out:

            def tell(what: Any) -> None:
                pickle.dump(what, out)
                out.flush()

            try:
                work(tell)
            finally:
                out.flush()
                os._exit(0)
    os.close(writer)
    told = []
    with os.fdopen(reader, "rb") as found:
        while True:
            try:
                told.append(pickle.load(found))
            except EOFError:
                break
    _, status = os.waitpid(child, 0)
    return told, os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def measure(check: Check, files: list[str]) -> bool:
    """Run a check without mutants, and note its time and its lines.

    False if it takes too long; RuntimeError if it fails.
    """

    import coverage

    def work(tell: Teller) -> None:
        signal.setitimer(signal.ITIMER_PROF, 4 * LONGEST)
        seen = coverage.Coverage(data_file=None, config_file=False, include=[str(ROOT / file) for file in files])
        seen.set_option("run:disable_warnings", ["no-data-collected"])
        began = time.process_time()
        seen.start()
        green = check.run()
        seen.stop()
        seconds = time.process_time() - began
        data = seen.get_data()
        tell((green, seconds, {file: set(data.lines(str(ROOT / file)) or ()) for file in files}))

    told, ended = in_a_fork(work)
    if not told and ended == signal.SIGPROF:
        return False
    if not told:
        raise RuntimeError(f"{check.name} ended without an answer, signal {ended}")
    green, check.seconds, check.lines = told[0]
    if not green:
        raise RuntimeError(f"{check.name} is red without any change")
    return check.seconds <= LONGEST


def judge(mutant: Mutant, module: ModuleType, checks: list[Check]) -> str:
    """What killed a mutant: the check's name, with "timed out" if it took too long; "" if it survives."""
    ranked = sorted(
        (check for check in checks if check.reaches(mutant)), key=lambda check: check.seconds / (1 + check.kills)
    )
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

    told, ended = in_a_fork(work)
    if not told or (told[-1][1] and not ended):
        return ""
    check: Check = asked[told[-1][0]]
    check.kills += 1
    return check.name + {0: "", signal.SIGPROF: " (timed out)"}.get(ended, f" (signal {ended})")


class Memory:
    """What killed the mutants of a game so far (build/mutants/GAME.json).

    A run judges those that survived, and new ones.
    """

    def __init__(self, game: str, afresh: bool) -> None:
        self.path = ROOT / "build" / "mutants" / f"{game}.json"
        self.killed: dict[str, str] = (
            json.loads(self.path.read_text("utf-8")) if self.path.exists() and not afresh else {}
        )

    def note(self, mutant: Mutant, killer: str) -> None:
        """Keep what killed a mutant, if anything did."""
        if killer and self.killed.get(mutant.digest) != killer:
            self.killed[mutant.digest] = killer
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text(json.dumps(self.killed), "utf-8")


class Runner:
    """A pytest plugin that runs the mutants in place of the collected tests."""

    def __init__(self, given: argparse.Namespace, game: Any) -> None:
        self.given, self.game = given, game
        self.red = False
        self.left = 0

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
        """Measure the checks, draw the mutants, judge them."""
        family = games_of(self.game)
        checks = [self.item_check(item) for item in session.items if concerns(item, family)] + signatures(family)
        self.left = self.mutate(checks)
        return True

    def mutate(self, checks: list[Check]) -> int:
        """Print each mutant and what killed it; return how many survive that are not known to make no difference."""
        given = self.given
        modules = modules_of(self.game.rules)
        began = time.monotonic()
        checks = [
            check
            for check in checks
            if measure(check, list(modules)) or print(f"left out, it takes too long: {check.name}")
        ]
        print(
            f"{len(checks)} checks, {sum(check.seconds for check in checks):.0f} s by themselves, measured in "
            f"{time.monotonic() - began:.0f} s",
            flush=True,
        )
        home = f"cardtable/games/{self.game.package.rpartition('.')[2]}/"
        found = [m for file in modules for m in mutants(file, (ROOT / file).read_text("utf-8"), given.only)]
        played = [check for check in checks if check.name.startswith("signature ")]
        # of the shared rules, only those that the game uses
        found = [m for m in found if m.file.startswith(home) or any(check.reaches(m) for check in played)]
        survived = 0
        for seed in given.seed:
            chosen = random.Random(f"{self.game.name} {seed}").sample(found, min(given.count, len(found)))
            tally = self.sample(sorted(chosen, key=lambda m: (m.file, m.lines, m.after)), modules, checks)
            print(
                f"{self.game.name}, seed {seed}: {len(chosen)} of {len(found)} mutants, {dict(tally)}, "
                f"{time.monotonic() - began:.0f} s",
                flush=True,
            )
            survived += tally["SURVIVES"]
            if given.write:
                enter(self.game.name, seed, len(chosen), tally)
        return survived

    def sample(self, chosen: list[Mutant], modules: dict[str, ModuleType], checks: list[Check]) -> Counter[str]:
        """Print what killed each mutant of a sample; how many of each kind there were."""
        judged = {
            tuple(e[name] for name in KEY): e["why"]
            for e in kept()["equivalent"]
            if e.get("game", self.game.name) == self.game.name
        }
        tally: Counter[str] = Counter()
        memory = Memory(self.game.name, self.given.afresh)
        for m in chosen:
            killer = memory.killed.get(m.digest) or judge(m, modules[m.file], checks)
            memory.note(m, killer)
            why = "" if killer else judged.get(m.key, "")
            kind = (
                "timed out"
                if killer.endswith("(timed out)")
                else "killed"
                if killer
                else "equivalent"
                if why
                else "SURVIVES"
            )
            tally[kind] += 1
            tally["by signature"] += killer.startswith("signature ")
            print(
                f"{kind:<10} {m}   "
                f"[{killer or why or ('' if any(check.reaches(m) for check in checks) else 'no check reaches it')}]",
                flush=True,
            )
        return tally


def games_of(game: Any) -> list[str]:
    """The names of the games in a game's package."""
    from cardtable.rules import catalog

    return [other.name for other in catalog.games().values() if other.package == game.package]


def concerns(item: pytest.Item, family: list[str]) -> bool:
    """Whether a test belongs to these games: it is in a file of theirs, or has one of them among its parameters."""
    if item.path.name not in SHARED_TESTS:
        return True
    values = item.callspec.params.values() if isinstance(item, pytest.Function) and hasattr(item, "callspec") else ()
    return any(
        name in family
        for value in values
        for name in (value, getattr(value, "game", None), getattr(value, "name", None))
        if isinstance(name, str)
    )


def signatures(family: list[str]) -> list[Check]:
    """Houses of the games as checks: whether the story of each has the recorded signature."""
    from cardtable.testing.houses import great_houses, single_houses
    from tests.support.games import story

    known = story.kept()
    houses = dict.fromkeys(house for house in [*single_houses(), *great_houses()] if house.game in family)
    return [
        Check(
            f"signature {house}",
            functools.partial(told_as, house, (known["houses"][str(house)], known["states"][str(house)])),
        )
        for house in unlike(houses)
    ]


def unlike(houses: Iterable[Any]) -> list[Any]:
    """The houses that have something, a preset or the value of an option, that few of those before have."""
    seen: Counter[Any] = Counter()
    chosen = []
    for house in houses:
        traits = {(house.game, house.preset), (house.game, house.seats), *((house.game, rule) for rule in house.given)}
        if any(seen[trait] < ALIKE for trait in traits):
            chosen.append(house)
            seen.update(traits)
    return chosen


def told_as(house: Any, signatures: tuple[str, str]) -> bool:
    """Whether a house's story has these signatures; False if it cannot be told at all."""
    from tests.support.games import story

    try:
        return bool(story.story(house) == signatures)
    except Exception:
        return False


def modules_of(rules: ModuleType) -> dict[str, ModuleType]:
    """The modules with a game's rules, by file: its own, and the compiled ones that these import from
    `cardtable.games`.
    """
    from cardtable.kernel.cache import compiled_files

    compiled = {str(path) for path in compiled_files()}
    found: dict[str, ModuleType] = {}
    ahead = [rules]
    while ahead:
        module = ahead.pop()
        path = Path(module.__file__ or "")
        file = path.relative_to(ROOT).as_posix()
        if (
            file in found
            or str(path) not in compiled
            or path.name in APART_FILES
            or not file.startswith("cardtable/games/")
        ):
            continue
        found[file] = module
        names = [
            node.module
            for node in ast.parse(path.read_text("utf-8")).body
            if isinstance(node, ast.ImportFrom) and node.module
        ]
        ahead += [sys.modules[name] for name in names if name.startswith("cardtable.games.") and name in sys.modules]
    return dict(sorted(found.items()))


def kept() -> dict[str, Any]:
    """The content of tests/mutants.toml: the runs, and the mutants that make no difference."""
    return {"run": [], "equivalent": [], **(tomllib.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {})}


def enter(game: str, seed: int, count: int, tally: Counter[str]) -> None:
    """Write a run's figures to tests/mutants.toml, in place of an earlier run with the same game and seed."""
    from cardtable.base import toml

    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()
    run = {
        "game": game,
        "seed": seed,
        "mutants": count,
        "killed": tally["killed"],
        "timed_out": tally["timed out"],
        "by_signature": tally["by signature"],
        "equivalent": tally["equivalent"],
        "survived": tally["SURVIVES"],
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "commit": commit,
    }
    data = kept()
    data["run"] = sorted(
        [r for r in data["run"] if (r["game"], r["seed"]) != (game, seed)] + [run], key=lambda r: (r["game"], r["seed"])
    )
    KEPT.write_text(
        "# Mutants of the rules (tools/mutants.py): the runs, and the changes that change nothing, each with the "
        "reason.\n\n" + toml.dumps(data),
        "utf-8",
    )


def main() -> int:
    """Print each mutant and what killed it; return the number of survivors as the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game's name, such as fan-tan")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="a sample for each")
    parser.add_argument("--only", default="", help="only mutants of this function")
    parser.add_argument(
        "--afresh",
        action="store_true",
        help="judge also those that were killed before and whose function has not changed",
    )
    parser.add_argument("--write", action="store_true", help="write the figures to tests/mutants.toml")
    given = parser.parse_args()
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
    stems = [name.replace("-", "_") for name in games_of(game)]
    kept = {*SHARED_TESTS, *(f"test_*{stem}*.py" for stem in stems)}
    files = sorted({path for name in kept for path in (ROOT / "tests").rglob(name)})
    runner = Runner(given, game)
    options = [
        "-o",
        "addopts=",
        "-s",
        "-p",
        "no:terminal",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-W",  # the package is imported before pytest is, which cannot rewrite its plugin's assertions then
        "ignore::pytest.PytestAssertRewriteWarning",
        "--rootdir",
        str(ROOT),
    ]
    done = pytest.main([*options, *map(str, files)], plugins=[runner])
    return runner.left if done in (0, 5) else int(done)


if __name__ == "__main__":
    raise SystemExit(main())
