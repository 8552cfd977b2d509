"""Texts with which somebody could try to run a script, forge a page or a terminal's screen, or hide others' text."""

from __future__ import annotations

#: hostile texts by what they try; of 24 letters at most, so each can be a name
TEXTS = {
    "an element": "<img src onerror=hit()>",
    "out of an attribute": "'\"><svg onload=hit()>",
    "out of a script": "</script><script>hit()",
    "an address": "javascript:hit()//",
    "a template": "{{7*7}}${7*7}{name}{n:a}",
    "an entity": "&lt;b&gt;&#60;b&#62;",
    "reordered letters": "a\u202ebc\u2067d",
    "letters of no width": "a\u200bb\u200dc\ufeffd",
    "as many as possible": "😀" * 24,
    "a terminal's commands": "\x1b[31mr\x9b2J\x07\x7f",
}
ALL = " ".join(TEXTS.values())  #: all of them, where a text may be long
#: what a terminal obeys, or what reorders other text
OBEYED = ("\x1b", "\x9b", "\x07", "\x7f", "\u202e", "\u2067", "\r", "\x08")
