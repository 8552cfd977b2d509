"""`records`: many records in one file: their figures, checking, choosing, splitting and putting together."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from cardtable.base import digits
from cardtable.base.errors import CardtableError, OptionError, RecordError
from cardtable.base.languages import figure, tr
from cardtable.base.message import Message
from cardtable.cli.common import as_json, json_option, tell, tell_beside

MOST_TOLD = 20  #: number of failures listed individually
LINES = ".jsonl"

FILES = click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False))
OUT = click.option(
    "--out", required=True, type=click.Path(dir_okay=False), help="The file to write: .jsonl for JSON Lines."
)


@click.group()
def records() -> None:
    """Work on many records at once.

    FILES are collections (simulate --records writes them), JSON Lines with a record in each line, or single records.
    """


def _all(files: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Read the records of several files. Raises RecordError if one is not a record."""
    from cardtable.match.record_file import read, summary

    for file in files:
        for number, keys in enumerate(read(file)):
            try:
                summary(keys)
            except RecordError as error:
                _, why, can = error.parts
                raise RecordError(Message("{file}, record {number}", file=file, number=number), why, can) from None
            yield keys


def _write(out: str, records: Iterable[Mapping[str, Any]]) -> int:
    """Write records to a new file, in the format given by its extension; return their number."""
    from cardtable.match.record_file import Collection, write_lines

    if Path(out).suffix.lower() == LINES:
        return write_lines(out, records)
    if Path(out).exists():
        raise OptionError(
            Message("writing {file}", file=out),
            Message("the file is there already"),
            Message("name another file, or remove it"),
            code="record/exists",
        )
    try:
        with Collection(out, create=True) as collection:
            return collection.add(records)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(out).unlink()
        raise


def _say_written(out: str, count: int, in_json: bool) -> None:
    if in_json:
        as_json({"file": out, "records": count})
    else:
        tell(Message("{file}: {n} {n:record|records}", file=out, n=count))


@records.command()
@FILES
@json_option
def stats(files: tuple[str, ...], in_json: bool) -> None:
    """Print matches, deals, moves, payoffs and wins of each game in the files."""
    from cardtable.lab.records.tally import tally

    tallies = tally(_all(files))
    if in_json:
        as_json([each.as_dict() for each in tallies])
        return
    if not tallies:
        tell(Message("There are no records."))
    for each in tallies:
        tell(
            Message(
                "{game}, {rules}, {n} {n:seat|seats}: {matches} matches ({unfinished} unfinished), {deals} deals, "
                "{moves} moves",
                game=each.game,
                rules=each.rules,
                n=each.seats,
                matches=figure(each.matches),
                unfinished=figure(each.unfinished),
                deals=figure(each.deals),
                moves=figure(each.moves),
            )
        )
        click.echo(f"  {tr('seat'):>6}  {tr('payoff a deal'):>13}  {tr('deals won'):>10}  {tr('matches won'):>12}")
        for seat in range(each.seats):
            mean = digits.number(each.paid[seat] / each.deals, signed=True) if each.deals else "–"
            won, matches = figure(each.won[seat]), figure(each.matches_won[seat])
            click.echo(f"  {seat:>6}  {mean:>13}  {won:>10}  {matches:>12}")


@records.command()
@FILES
@json_option
def check(files: tuple[str, ...], in_json: bool) -> None:
    """Replay every record, and check every move and result; exit code 1 if one of them fails."""
    from cardtable.lab.records.recheck import Checker

    checker = Checker()
    count = moves = failed = 0
    wrong: list[dict[str, Any]] = []
    for file in files:
        for number, keys in enumerate(_all([file])):
            count += 1
            try:
                moves += checker.check(keys)
            except CardtableError as error:
                failed += 1
                if len(wrong) < MOST_TOLD:
                    wrong.append({"file": file, "number": number, "error": error.as_dict()})
                    if not in_json:
                        tell_beside(
                            Message("{file}, record {number}: {error}", file=file, number=number, error=error.message)
                        )
    if in_json:
        as_json({"records": count, "moves": moves, "failed": failed, "failures": wrong})
    else:
        counted = Message("{n} {n:record|records}, {moves} moves: ", n=count, moves=figure(moves))
        fine = Message("all are right") if not failed else Message("{failed} failed", failed=failed)
        tell(Message("{told}{fine}", told=counted, fine=fine))
    if failed:
        raise SystemExit(1)


@records.command("filter")
@FILES
@OUT
@click.option("--game", help="Only of this game.")
@click.option("--rules", "preset", metavar="PRESET", help="Only with this preset.")
@click.option("--seats", type=int, metavar="N", help="Only with this number of players.")
@click.option("--seed", metavar="SEED", help="Only of this seed.")
@click.option("--finished/--unfinished", default=None, help="Only matches that are over, or that are not.")
@json_option
def choose(
    files: tuple[str, ...],
    out: str,
    game: str | None,
    preset: str | None,
    seats: int | None,
    seed: str | None,
    finished: bool | None,
    in_json: bool,
) -> None:
    """Write the records that are of this kind to another file."""
    from cardtable.rules import catalog

    name = catalog.find(game).name if game else None
    wanted = {"game": name, "rules": preset, "seats": seats, "seed": seed}

    def fits(keys: Mapping[str, Any]) -> bool:
        named = all(keys.get(key) == value for key, value in wanted.items() if value is not None)
        return named and (finished is None or finished != (keys.get("unfinished") is True))

    _say_written(out, _write(out, filter(fits, _all(files))), in_json)


@records.command()
@FILES
@OUT
@json_option
def merge(files: tuple[str, ...], out: str, in_json: bool) -> None:
    """Write the records of all files, in order, to one new file; it also turns one kind of file into another."""
    _say_written(out, _write(out, _all(files)), in_json)


@records.command()
@click.argument("file", type=click.Path(dir_okay=False))
@click.option(
    "--by", type=click.Choice(["game", "rules", "seats"]), help="A file for each game, preset or number of seats."
)
@click.option("--every", type=click.IntRange(1), metavar="N", help="A file for every N records.")
@click.option("--to", "folder", type=click.Path(file_okay=False), default=".", help="The directory for the files.")
@json_option
def split(file: str, by: str | None, every: int | None, folder: str, in_json: bool) -> None:
    """Write the records of a file to several new ones in one folder: NAME-VALUE.ending."""
    if (by is None) == (every is None):
        raise click.UsageError(tr("Write either --by or --every."))
    source = Path(file)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)

    def name(value: object) -> str:
        words = "".join(letter if letter.isalnum() or letter == "-" else "-" for letter in str(value))
        return str(place / f"{source.stem}-{words}{source.suffix or '.cards'}")

    written: list[dict[str, Any]] = []
    for out, part in _parts(file, by, every or 1, name):
        written.append({"file": out, "records": _write(out, part)})
    if in_json:
        as_json(written)
        return
    for each in written:
        _say_written(each["file"], each["records"], False)


def _parts(
    file: str, by: str | None, every: int, name: Callable[[object], str]
) -> Iterator[tuple[str, Iterator[dict[str, Any]]]]:
    """The files to be written, with their records."""
    if by is None:
        rest = _all([file])
        number = 0
        while (first := next(rest, None)) is not None:
            number += 1
            yield name(number), itertools.chain([first], itertools.islice(rest, every - 1))
        return
    for value in dict.fromkeys(keys.get(by) for keys in _all([file])):
        yield name(value), _having(file, by, value)


def _having(file: str, by: str, value: object) -> Iterator[dict[str, Any]]:
    return (keys for keys in _all([file]) if keys.get(by) == value)
