"""What the tests of languages share: this process speaks one until the test ends."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cardtable.base import languages
from tests.support import pseudo


@pytest.fixture
def speak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Speak a language, if need be one of another folder, or one that a test makes of some texts."""

    def speak(code: str, folder: Path | None = None, texts: dict[str, object] | None = None) -> None:
        if texts:
            (tmp_path / f"{code}.json").write_text(json.dumps(texts), "utf-8")
        if texts or folder:
            monkeypatch.setenv(languages.VARIABLE, str(folder or tmp_path))
            languages.catalogue.cache_clear()
            languages._codes_in.cache_clear()
        languages.use(code)

    yield speak
    languages.use("en")
    languages.catalogue.cache_clear()


@pytest.fixture
def pseudo_language(speak: Callable[..., None]) -> None:
    """Speak the pseudo-language."""
    speak(pseudo.CODE, pseudo.folder())
