"""The command line. Nothing heavy is imported before a command needs it: `--help` is instant."""

from __future__ import annotations

import difflib
import inspect
import json
import os
import sys
import warnings
from typing import Any, NoReturn

import click

from cardtable import __version__
from cardtable.base import languages
from cardtable.base.errors import CardtableError
from cardtable.base.languages import tr, translated
from cardtable.base.message import Message
from cardtable.cli.common import FAULT, FILE, INTERRUPTED, json_text, legible


class Group(click.Group):
    """A group that suggests the command that was meant."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            close = difflib.get_close_matches(name, self.list_commands(ctx), 1)
            hint = (
                Message("Did you mean {command}?", command=close[0])
                if close
                else Message("There are {commands}.", commands=", ".join(self.list_commands(ctx)))
            )
            ctx.fail(tr("There is no command {command}. {hint}", command=repr(name), hint=hint))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader of our output has seen enough: this is no error
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise SystemExit(0) from None
        return done


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="cardtable")
def cli() -> None:
    """Card games by the book or by your own house rules: play them, learn them, study them.

    Without a command: the card table in your browser (cardtable serve --browser).

    The shell completes commands, options, games and presets after, in bash: eval "$(_CARDTABLE_COMPLETE=bash_source
    cardtable)"; for zsh and fish write zsh_source or fish_source. docs/terminal.md has more.
    """


def fail(error: CardtableError, in_json: bool) -> NoReturn:
    """Print an error for people or programs, and exit."""
    if in_json:
        click.echo(json_text({"error": error.as_dict()}), err=True)
    else:
        click.secho(tr("Error: "), fg="red", bold=True, nl=False, err=True)
        click.echo(translated(error.message), err=True)
    raise SystemExit(FILE if error.code == "record/file" else error.exit_code)


def load() -> None:
    """Add the commands: their modules import only click."""
    from cardtable.cli import complete, titles
    from cardtable.cli.commands import (
        admin_server,
        bench,
        league,
        learn,
        matches,
        new,
        picture,
        play,
        records,
        replay,
        review,
        rules,
        serve,
        simulate,
        skill,
        solve,
        study,
        warm,
    )

    for command in (
        rules.games,
        rules.rules,
        learn.learn,
        play.play,
        matches.matches,
        replay.replay,
        records.records,
        picture.picture,
        review.review,
        solve.solve,
        simulate.simulate,
        bench.bench,
        league.league,
        study.study,
        skill.skill,
        warm.warm,
        new.new,
        serve.serve,
        serve.verify,
        admin_server.admin,
    ):
        complete.teach(command)
        titles.teach(command)
        cli.add_command(command)
        _translate(command)
    _translate(cli)


def _translate(command: click.Command) -> None:
    """Put a command's help into the language of the terminal."""
    # As click shows it. Until Python 3.13, a docstring had the indentation of its source.
    command.help = tr(inspect.cleandoc(command.help or ""))
    for param in command.params:
        if isinstance(param, click.Option):
            param.help = tr(param.help or "")
    if isinstance(command, click.Group) and command is not cli:
        for part in command.commands.values():
            _translate(part)


def _translate_click(code: str) -> None:
    """Put click's own texts into the language of the terminal.

    Its modules call two functions of gettext's, which only reads compiled files. These take their place.
    """
    texts, plural = languages.library("click", code), languages.current().plural

    def one(text: str) -> str:
        return texts.get(text, [text])[0]

    def several(text: str, other: str, n: int) -> str:
        forms = texts.get(text)
        return forms[min(plural(n), len(forms) - 1)] if forms else text if n == 1 else other

    for name, module in list(sys.modules.items()):
        for own, ours in (("_", one), ("ngettext", several)):
            if texts and name.startswith("click.") and hasattr(module, own):
                setattr(module, own, ours)


def _plain_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: Any = None,
    line: str | None = None,
) -> None:
    click.echo(tr("Note: {message}", message=str(message)), err=True)


def main(args: list[str] | None = None) -> None:
    """Run the command line; exits with 0, 1 (rules, records), 2 (wrong use), 3 (files), 70 (a fault), 130 (Ctrl-C)."""
    code = languages.of_environment(os.environ)
    languages.use(code)
    _translate_click(code)
    load()
    if "_CARDTABLE_COMPLETE" in os.environ:
        from cardtable.cli import complete

        complete.prepare()
    if not os.environ.get("CARDTABLE_DEBUG"):
        warnings.showwarning = _plain_warning
    words = sys.argv[1:] if args is None else args
    words = words or ["serve", "--browser"]  # the main job
    in_json = "--json" in words
    if not in_json:
        for stream in (sys.stdout, sys.stderr):
            legible(stream)
    try:
        code = cli.main(words, prog_name="cardtable", standalone_mode=False)
    except CardtableError as error:
        fail(error, in_json)
    except click.ClickException as error:
        if in_json:
            click.echo(
                json.dumps({"error": {"code": "use", "what": error.format_message(), "why": "", "can": ""}}), err=True
            )
        else:
            error.show()
        raise SystemExit(error.exit_code) from None
    except (KeyboardInterrupt, click.Abort, EOFError):
        click.echo("\n" + tr("Stopped."), err=True)
        raise SystemExit(INTERRUPTED) from None
    except OSError as error:
        click.echo(
            tr("Error: {file}: {why}", file=error.filename or Message("a file"), why=error.strerror or str(error)),
            err=True,
        )
        raise SystemExit(FILE) from None
    except Exception as error:
        if os.environ.get("CARDTABLE_DEBUG"):
            raise
        fault = tr(
            "Error: a fault in Cardtable itself ({fault}). Set CARDTABLE_DEBUG=1 to see where, and please report it.",
            fault=f"{type(error).__name__}: {error}",
        )
        click.echo(fault, err=True)
        raise SystemExit(FAULT) from None
    raise SystemExit(code if isinstance(code, int) else 0)
