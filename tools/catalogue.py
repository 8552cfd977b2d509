"""The message catalogue: the English texts for translators, and their translations for programs.

    catalogue.py update CODE      write CODE.po and click/CODE.po in cardtable/locales: every English text with
its
                                  places; translations stay
    catalogue.py check            say which texts need a context and what is wrong in each CODE.po, with exit code 1;
                                  note what is not translated
    catalogue.py pseudo FOLDER    write the same files there for en-XA: a language in which each text is marked and
                                  lengthened

Programs read these files as they are (cardtable/base/languages.py), so a change of one needs no other command.

Templates are found in literal arguments of `Message`, `tr` and similar functions in Python, and of `tr` and `says:` in
the browser's modules; texts that games and commands declare (summaries, options, help) are taken from their objects.
A template with a context (`context="Pirate"`; in a module of the browser `context: "Pirate"`, directly after it) is an
entry with `msgctxt`. A new context begins with the translation of the plain template.
click, which reads the command line, looks up its own texts with gettext: they have a separate catalogue.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import click
from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from cardtable.base import languages
from cardtable.base.message import CONTEXT_END, in_context

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cardtable"
LOCALES = PACKAGE / "locales"

#: Functions whose arguments at these places are templates, if they are literals.
CALLS = {"Message": (0,), "tr": (0,), "mark": (0,), "reason": (0, 1), "Told": (0,), "capture": (2,)}
#: Areas whose texts have different readers, besides each game: folders and modules of the package.
AREAS = ("web", "cli", "server")
#: Short texts that mean the same wherever they are, besides the names of cards, suits and levels of bots. Any other
#: text of one or two words that two areas have needs a context, because a language may have two words for it.
SAME_EVERYWHERE = frozenset(
    {
        # the players
        *("You", "you", "bot", "dealer", "to play"),
        # joints of lists
        *("and", "or"),
        # headings and keys, of the browser and of the terminal
        *("Enter", "Game", "Keys", "Moves", "Table", "Chat", "What happened"),
        # what is counted
        *("deals", "difference", "empty"),
        # what a payment or a point is for: games that took it from one another
        *("ante", "as ante", "passing", "for passing", "sweep", "most cards"),
        # a kind of game, and what one of its kind is called
        "Patience",
        # what was asked for and refused, and what can be done
        *("another match", "playing", "serving", "solving", "this record", "this request", "give one"),
    }
)
SHORT = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)?")  #: one or two words, and no field
LITERAL = r'"(?:[^"\\\n]|\\.)*"'
SCRIPT = re.compile(
    rf"(?:\btr\(|\bmark\(|\bsays:|\bmessage=)\s*({LITERAL}(?:\s*\+\s*{LITERAL})*)"
    rf"(?:,\s*(?:\{{\s*)?context:\s*({LITERAL}))?"
)
FIELD = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
#: what a text has that is translated: a word, or a sign before which some languages have a space
WORDS = r"[^\W\d_]|[:;!?%]"
#: of a header, what changes though no text does
LEFT_OUT = "POT-Creation-Date|PO-Revision-Date|Generated-By|Report-Msgid-Bugs-To|Last-Translator|Language-Team"
FIRST = 10  #: texts of a language that are listed if more are missing
PSEUDO = "en-XA"
ACCENTED = str.maketrans("aeiouycnszACEINOSUYZ", "àéîöûýçñšžÀÇÉÎÑÖŠÛÝŽ")

Place = tuple[str, int]  #: file, line


def in_python(path: Path) -> Iterator[tuple[str, int]]:
    """Templates of a Python module in their contexts, with their lines."""
    from cardtable.rules.options import OF_RULES, OF_VALUES

    calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    meant = {
        each: context
        for node in calls
        if name_of(node) == "Words"
        for argument, context in zip(node.args, (OF_RULES, OF_VALUES), strict=False)
        for each in ast.walk(argument)
    }
    for node in calls:
        name = name_of(node)
        given = [word.value for word in node.keywords if word.arg == "context"]
        # a kind of event is followed by its message; the server's refusals, which are also Told, are messages
        event = "event" if name == "Told" and len(node.args) > 1 else ""
        contexts = list(literals(given[0])) if given else [meant.get(node, event)]
        for place in CALLS.get(name, ()):
            if len(node.args) > place:
                for each in literals(node.args[place]):
                    yield from ((in_context(each, context), node.lineno) for context in contexts)


def name_of(call: ast.Call) -> str:
    """The name of the function that is called, without its module or object."""
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def literals(node: ast.expr) -> Iterator[str]:
    """The literals that an expression can be: itself, or one of two."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)
    elif isinstance(node, ast.BoolOp):
        for each in node.values:
            yield from literals(each)


def in_script(path: Path) -> Iterator[tuple[str, int]]:
    """Templates of a module of the browser client in their contexts, with their lines."""
    text = path.read_text("utf-8")
    for call in SCRIPT.finditer(text):
        line = text.count("\n", 0, call.start()) + 1
        template = "".join(json.loads(each) for each in re.findall(LITERAL, call[1]))
        yield in_context(template, json.loads(call[2] or '""')), line


def declared() -> Iterator[tuple[str, str]]:
    """Texts that games and commands declare, with the files in which they do so."""
    from cardtable.match import lesson, task
    from cardtable.rules import catalog, glossary
    from cardtable.rules.options import Kind

    for game in catalog.games().values():
        home = f"cardtable/games/{game.package.rpartition('.')[2]}"
        names = (name.title for name in game.names)
        graded = (in_context(game.difficulty, "difficulty"), in_context(game.length, "length"))
        own = (game.summary, game.pitch, *graded, *game.titles.values(), *names)
        yield from ((text, f"{home}/__init__.py") for text in own)
        for preset in game.presets:
            if hand := lesson.lesson(game, preset):
                yield from ((text, f"{home}/lessons/{lesson.file_of(game, preset)}") for text in hand.templates)
        kinds: dict[str, Kind] = game.options.kinds()
        for kind in kinds.values():
            yield from ((text, f"{home}/options.py") for text in (kind.text, kind.default, kind.also) if text)

    for term in glossary.glossary():
        place = f"cardtable/rules/{glossary.FILE}"
        yield from ((in_context(term.words, "glossary"), place), (term.means, place))
    for one in task.tasks().values():
        home = f"cardtable/games/{one.game.package.rpartition('.')[2]}"
        yield from ((text, f"{home}/{task.FOLDER}/{one.name}.toml") for text in one.texts)

    from cardtable.cli import cli, load

    load()
    groups = [command for command in cli.commands.values() if isinstance(command, click.Group)]
    for command in (cli, *cli.commands.values(), *(part for group in groups for part in group.commands.values())):
        texts = [command.help, *(param.help for param in command.params if isinstance(param, click.Option))]
        yield from ((text, "cardtable/cli") for text in texts if text)


def split(key: str) -> tuple[str, str]:
    """The context and the template of a key of `message.in_context`."""
    context, _, template = key.rpartition(CONTEXT_END)
    return context, template


@cache
def every() -> Mapping[str, Sequence[Place]]:
    """Every template of the package in its contexts (`message.in_context`), with its places. All sources are read for
    it, so it is kept.
    """
    places_of: dict[str, list[Place]] = {}

    def add(text: str, file: str, line: int) -> None:
        if re.search(WORDS, FIELD.sub(lambda each: each[2] or "", split(text)[1])):  # there is a word in it
            places_of.setdefault(text, []).append((file, line))

    for path in sorted(PACKAGE.rglob("*.py")):
        for text, line in in_python(path):
            add(text, str(path.relative_to(ROOT)), line)
    web = PACKAGE / "web"
    for path in (*sorted([*web.glob("*.js"), *web.glob("*/*.js")]), web / "index.html"):
        for text, line in in_script(path):
            add(text, str(path.relative_to(ROOT)), line)
    for text, file in declared():
        add(text, file, 0)
    return places_of


def area(file: str) -> str:
    """Whose a file's texts are: a game's, the browser's, the terminal's, the server's; empty: everybody's."""
    _, folder, *rest = Path(file).with_suffix("").parts
    return rest[0] if folder == "games" else folder if folder in AREAS else ""


def ambiguous(texts: Mapping[str, Sequence[Place]]) -> Iterator[str]:
    """Texts of one or two words that two areas have without a context, although they may not mean the same."""
    from cardtable.base import card_names, faces
    from cardtable.bots.levels import WORDS

    cards = {str(name) for names in (card_names.SUITS, card_names.RANKS, card_names.PLURALS) for name in names}
    cards |= {word for each in faces.FACES.values() for word in each.words.values()}
    same = SAME_EVERYWHERE | cards | set(WORDS.values())
    for text, places in texts.items():
        areas = {area(file) for file, _ in places}
        if len(areas) > 1 and SHORT.fullmatch(text) and text not in same:
            yield f"{text!r} needs contexts: {', '.join(sorted({file for file, _ in places}))}"


def template() -> Catalog:
    """The file that translators begin with."""
    catalog = Catalog(project="Cardtable", charset="utf-8", fuzzy=False)
    for text, places in sorted(every().items(), key=lambda item: (sorted(item[1])[0], item[0])):
        context, source = split(text)
        at = [(file, 0) for file in sorted({file for file, _ in places})]
        catalog.add(source, locations=at, context=context or None)
    return catalog


@cache
def of_click() -> Catalog:
    """The texts of the installed click, with plurals as pairs; cached, as `every` is."""
    catalog = Catalog(project="click", charset="utf-8", fuzzy=False)
    for file, _, text, _, _ in extract_from_dir(
        Path(click.__file__).parent, [("**.py", "python")], keywords={"_": None, "ngettext": (1, 2)}
    ):
        catalog.add(text, locations=[(f"click/{file}", 0)])
    return catalog


def written(catalog: Catalog, name: str = "") -> str:
    """A catalogue as the text of its file. Its header has no time, so that it changes only when a text does, and the
    name of the language in itself (default: as in CLDR).
    """
    into = io.BytesIO()
    write_po(into, catalog, width=120, include_lineno=False, omit_header=False)
    text = re.sub(rf'(?m)^"({LEFT_OUT}): .*\n', "", into.getvalue().decode())
    name = name or (catalog.locale.get_display_name() if catalog.locale else "") or ""
    return re.sub(r'(?m)^"Language: .*\n', rf'\g<0>"{languages.NAME}: {name}\\n"\n', text, count=1)


def done(catalog: Catalog) -> dict[str, str]:
    """The translations of a translators' file, except empty and fuzzy ones."""
    return {
        in_context(str(each.id), each.context or ""): str(each.string) for each in catalog if each.id and is_done(each)
    }


def is_done(message: Message) -> bool:
    """Whether a text is translated: all its forms are there, and nobody has marked them as fuzzy."""
    forms = [message.string] if isinstance(message.string, str) else message.string or [""]
    return not message.fuzzy and all(form.strip() for form in forms)


def translated() -> list[str]:
    """The codes of the languages into which Cardtable is translated."""
    return sorted(file.stem for file in LOCALES.glob("*.po"))


def update(code: str) -> None:
    """Write the translators' files of a language from the templates: with the translations there are, no others."""
    locale = Locale.parse(code.replace("-", "_"))
    for folder, from_template in ((LOCALES, template()), (LOCALES / "click", of_click())):
        file, name = folder / f"{code}.po", ""
        catalog = Catalog(locale=locale, project=from_template.project, charset="utf-8", fuzzy=False)
        catalog.header_comment = f"# {from_template.project}'s texts in {locale.get_display_name('en')}."
        catalog.update(from_template, no_fuzzy_matching=True)
        if file.exists():
            there, name = read(file, code), languages.from_po(file).name
            catalog.mime_headers = [("Plural-Forms", there.plural_forms)]  # Babel's own differ between its versions
            for each in catalog:
                before = there.get(each.id, each.context) or there.get(each.id)
                if each.id and before and before.string:
                    each.string = before.string
                    if before.fuzzy:
                        each.flags.add("fuzzy")
        file.write_text(written(catalog, name), "utf-8")


def read(file: Path, code: str) -> Catalog:
    """A translators' file."""
    with file.open("rb") as opened:
        return read_po(opened, locale=code.replace("-", "_"))


def faults(code: str) -> Iterator[str]:
    """What is wrong in a language's translation. A text that is missing is no fault: it is shown in English."""
    catalog = read(LOCALES / f"{code}.po", code)
    there = done(catalog)
    for text in every():
        if text in there and (why := fault(split(text)[1], there[text], catalog.num_plurals)):
            yield f"{code}: {shown(text)}: {why}"


def shown(key: str) -> str:
    """A template in quotation marks, with its context."""
    context, source = split(key)
    return f"{source!r} ({context})" if context else repr(source)


def missing(code: str) -> list[str]:
    """The texts that a language shows in English, those of click last."""
    there = done(read(LOCALES / f"{code}.po", code))
    of_library = read(LOCALES / "click" / f"{code}.po", code)
    return [text for text in every() if text not in there] + [
        str(each.id) for each in of_click() if each.id and not (each.id in of_library and is_done(of_library[each.id]))
    ]


def note(code: str) -> Iterator[str]:
    """What is missing in a language, in a few lines; none if nothing is."""
    if texts := missing(code):
        yield f"{code}: not translated, so shown in English: {len(texts)} of {len(every()) + len(of_click())} texts"
        yield from (f"    {shown(text)}" for text in texts[:FIRST])
        if len(texts) > FIRST:
            yield f"    ... and {len(texts) - FIRST} more, which are empty or fuzzy after `catalogue.py update {code}`"


def fault(text: str, translation: str, plurals: int) -> str:
    """What is wrong with a translation; empty: nothing.

    It must show the values that the English text shows, in any order, and no others. Word forms may depend on any of
    its fields. A form may show the value itself (`@`).
    """
    names = {field[1] for field in FIELD.finditer(text)}
    fields = list(FIELD.finditer(translation))
    if unknown := {field[1] for field in fields} - names:
        return f"there is no field {unknown.pop()}"
    if re.search(r"[{}]", FIELD.sub("", translation)) and not re.search(r"[{}]", FIELD.sub("", text)):
        return "a brace that belongs to no field"

    def shown(of: str) -> set[str]:
        return {field[1] for field in FIELD.finditer(of) if field[2] is None or "@" in field[2]}

    if missing := shown(text) - shown(translation):
        return f"it does not show {missing.pop()}"
    single = {field[1] for field in FIELD.finditer(text) if field[2] and "|" not in field[2]}
    for field in fields:
        many = 1 + field[2].count("|") if field[2] is not None else 0
        if many and not (many == 1 if field[1] in single else many in (2, 3, 4, plurals)):
            return f"{field[0]} has not {'one form' if field[1] in single else 'two to four forms'}"
    around = re.compile(r"^(\s*).*?(\s*)$", re.DOTALL)
    if around.fullmatch(text).groups() != around.fullmatch(translation).groups():  # type: ignore[union-attr]
        return "the white space around it differs"
    return "" if text.startswith("{source} ") <= translation.startswith("{source} ") else "it must begin with {source}"


def pseudo_click() -> Catalog:
    """click's texts in the pseudo-language. What stands between braces, or after a per cent sign, is no text."""
    catalog = Catalog(locale="en", project="click", charset="utf-8", fuzzy=False)

    def accented(text: str) -> str:
        parts = re.split(r"(\{[^{}]*\}|%\(\w+\)s)", text)
        parts[::2] = (part.translate(ACCENTED) for part in parts[::2])
        return f"⟦{''.join(parts)}⟧"

    for each in of_click():
        if each.id:
            catalog.add(each.id, accented(each.id) if isinstance(each.id, str) else tuple(map(accented, each.id)))
    return catalog


def pseudo(text: str) -> str:
    """A text marked at both ends, a third longer, its letters accented; its fields stay."""
    end, result = 0, ""
    for field in FIELD.finditer(text):
        result += text[end : field.start()].translate(ACCENTED)
        forms = field[2]
        result += field[0] if forms is None else f"{{{field[1]}:{forms.translate(ACCENTED)}}}"
        end = field.end()
    result += text[end:].translate(ACCENTED)
    subject = "{source} "
    # may be shown without its subject
    head, rest = (subject, result[len(subject) :]) if result.startswith(subject) else ("", result)
    longer = re.sub(r"~{6}(?=~)", "~~~~~~ ", "~" * (len(FIELD.sub("", text)) // 3))  # in words, as a language has them
    return f"{head}⟦{rest}{longer}⟧"


def write_pseudo(folder: Path) -> None:
    """Write both files of the pseudo-language."""
    catalog = Catalog(locale="en", project="Cardtable", charset="utf-8", fuzzy=False)
    for text in every():
        context, source = split(text)
        catalog.add(source, pseudo(source), context=context or None)
    (folder / "click").mkdir(parents=True, exist_ok=True)
    for home, texts in ((folder, catalog), (folder / "click", pseudo_click())):
        (home / f"{PSEUDO}.po").write_text(written(texts, "Pseudo"), "utf-8")


def main() -> int:
    """Run the tool; return its exit code."""
    match sys.argv[1:]:
        case ["update", code]:
            update(code)
        case ["check"]:
            wrong = [*ambiguous(every()), *(each for code in translated() for each in faults(code))]
            notes = [line for code in translated() for line in note(code)]
            print(*notes, *wrong, f"{len(wrong)} faults", sep="\n")
            return bool(wrong)
        case ["pseudo", folder]:
            write_pseudo(Path(folder))
        case _:
            print(__doc__)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
