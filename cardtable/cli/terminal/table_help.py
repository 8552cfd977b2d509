"""The help screen (`?`) in the terminal: the game in three lines, move notation, marks and commands.

The text about the game is a section of its rulebook page (`rulebook.AT_THE_TERMINAL`), for this table's house rules.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.text import Text

from cardtable.base import languages
from cardtable.base.languages import tr
from cardtable.base.message import mark
from cardtable.cli.rulebook_text import in_english

if TYPE_CHECKING:
    from cardtable.cli.terminal.screen import Screen
    from cardtable.match.match import Match

HEADINGS = (mark("Moves"), mark("On this screen"))  #: in the section of the rulebook
COLUMN = 16  #: width of the column of moves, marks and commands, before their meanings
MARKS = (("▴", mark("before a card: it can be played now.")), ("▸", mark("before a name: it is for them to play.")))
COMMANDS = (
    ("? rules", mark("the rules at this table; ? {id} one clause of them; ? and a move: why it cannot be made")),
    ("h", mark("a hint: what a bot would play")),
    ("a", mark("is anything useful left?")),
    ("w", mark("can it still be won? This looks at the hidden cards")),
    ("u", mark("take your last move back; u 3 the last three")),
    ("l", mark("what happened so far in this deal")),
    ("t", mark("the table again")),
    ("m", mark("all the moves you can choose from")),
    ("i", mark("memory aids, a help: what is known of the others' cards; i again hides them")),
    ("q", mark("save the match and leave; q FILE saves it in a file of your choice")),
    ("discard", mark("leave without saving")),
    ("resign", mark("give up the match")),
)


KEYS = (
    (mark("arrow keys"), mark("choose a card, a place or a move; Enter or a click plays it")),
    (mark("typing"), mark("begins a line: a move such as 7H, a number or a command; : begins an empty one")),
    ("Esc", mark("back to the table, or begin to choose again")),
    ("?", mark("this help; ? again: the rules")),
    ("l", mark("what happened in this deal")),
    (mark("PgUp, PgDn"), mark("scroll the help, the rules or the log")),
)


def show(screen: Screen, m: Match, ticking: bool, keys: bool = False) -> None:
    """Print the help for a match. ticking: its clock does not wait for the person; keys: on the full screen."""
    language = languages.current()
    page = m.game.help_here(m.options, m.seats, language)
    screen.say(tr(m.title), style="bold", indent=1)
    if not m.game.pages.translated(language.code) and (note := in_english()):
        screen.say(note, style="dim", indent=2)
    for line in filter(None, page.splitlines()):
        if line.startswith("#"):
            screen.say(tr(line.lstrip("# ")), style="bold", indent=1)
        elif entry := re.match(r"- (?:\*\*(.+?)\*\*|(`.+?))\s?: (.*)", line):
            _row(screen, _plain(entry[1] or entry[2]), entry[3])
        else:
            screen.say(_plain(line.removeprefix("- ")), indent=2, hang=2 if line.startswith("- ") else 0)
    for sign, meaning in MARKS:
        _row(screen, sign, tr(meaning))
    if keys:
        screen.say(tr("Keys"), style="bold", indent=1)
        for key, meaning in KEYS:
            _row(screen, tr(key), tr(meaning))
    screen.say(tr("Commands"), style="bold", indent=1)
    _row(screen, tr("number"), tr("plays the move of that number"))
    possible = {"a": bool(m.game.outlook), "w": m.game.solvable}
    for command, meaning in COMMANDS:
        if possible.get(command, True):
            _row(screen, command, tr(meaning, id=m.game.presentation.TURN_RULE))
    if m.game.wait:
        how = tr(
            "{wait}; with --speed 2 two ticks a second go by, and the first letter of a move makes it", wait=m.game.wait
        )
        _row(screen, tr("Enter"), m.game.wait if ticking else how)


def examples(m: Match) -> list[str]:
    """The moves that the help of a match gives as examples, as they are typed."""
    moves = m.game.help_here(m.options, m.seats).partition("### Moves")[2].partition("###")[0]
    items = re.findall(r"(?m)^- (`.+?): ", moves)
    return [example for item in items for example in re.findall(r"`([^`]+)`", item)]


def _row(screen: Screen, words: str, meaning: str) -> None:
    """Write a row of two columns; the left text is verbatim, and on its own line if it is long."""
    head = Text(words.ljust(COLUMN), style="bold")
    if len(words) >= COLUMN:
        screen.say(head, indent=2)
        head = Text(" " * COLUMN)
    for line in screen.broken(screen.pretty(_plain(meaning)), screen.width - 2 - COLUMN):
        screen.say(head.append_text(Text.assemble(line, style="not bold")), indent=2)
        head = Text(" " * COLUMN)


def _plain(text: str) -> str:
    return re.sub(r"\*\*|`", "", text)
