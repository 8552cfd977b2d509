"""Translators' files: gettext's `.po`, read directly in a few milliseconds.

The standard library reads only compiled files, which would have to be rebuilt after each change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from cardtable.base.message import in_context

#: An entry: its comments, the context, the text, its plural, and the translation or its plural forms.
ENTRY = re.compile(
    r"""((?:^\#.*\n)*) (?:^msgctxt\ ((?:".*"\n)+))? ^msgid\ ((?:".*"\n)+) (?:^msgid_plural\ (?:".*"\n)+)?
    ((?:^msgstr(?:\[\d\])?\ (?:".*"\n)+)+)""",
    re.MULTILINE | re.VERBOSE,
)
FORM = re.compile(r"^msgstr(?:\[\d\])? ", re.MULTILINE)
FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)
ESCAPED = re.compile(r"\\(.)")
ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}
PLURAL = re.compile(r"\bplural=\s*(.+?)\s*;?\s*$")
IN_PARENTHESES = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")


@dataclass(frozen=True)
class Translations:
    """The content of a translators' file."""

    header: Mapping[str, str]  #: `Language` -> `de`
    #: text, or `message.in_context` -> its plural forms, or its only one; without empty and fuzzy ones
    texts: Mapping[str, Sequence[str]]

    @property
    def plural(self) -> str:
        """The plural expression in gettext's syntax, without parentheses around it; empty: none given."""
        match = PLURAL.search(self.header.get("Plural-Forms", ""))
        expression = match[1] if match else ""
        inside = IN_PARENTHESES.fullmatch(expression)
        return inside[1] if inside else expression


def read(file: Path) -> Translations:
    """Read a translators' file."""
    texts: dict[str, Sequence[str]] = {}
    for comments, context, text, translation in ENTRY.findall(file.read_text("utf-8-sig") + "\n"):
        source, forms = in_context(unquoted(text), unquoted(context)), list(map(unquoted, FORM.split(translation)[1:]))
        fuzzy = source and "fuzzy" in comments and FUZZY.search(comments)
        if not fuzzy and all(form.strip() for form in forms):
            texts[source] = forms
    header = "".join(texts.pop("", ""))
    return Translations(dict(line.partition(": ")[::2] for line in header.splitlines()), texts)


def unquoted(lines: str) -> str:
    """What stands in quotation marks on one line or several."""
    text = lines.strip()[1:-1].replace('"\n"', "")
    return ESCAPED.sub(lambda match: ESCAPES.get(match[1], match[1]), text) if "\\" in text else text
