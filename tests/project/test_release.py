"""A release is made in a separate repository: what is checked, what changes, and that a failure changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT
from tests.support.programs import fault, needs, optional, require

LOG = "# Changes\n\n## Unreleased\n\n* **New**: a game.\n\n## 0.1.0\n\nThe first.\n"


pytestmark = needs("packaging")
tool: Any = optional("release") if not fault("packaging") else None


def git(root: Path, *words: str) -> str:
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small repository on the branch main, clean, with something unreleased."""
    require("git")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Ann")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "ann@example.org")
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "cardtable").mkdir()
    (tmp_path / "cardtable/__init__.py").write_text('"""A package."""\n\n__version__ = "0.1.0"\n', "utf-8")
    (tmp_path / "CHANGELOG.md").write_text(LOG, "utf-8")
    (tmp_path / "CITATION.cff").write_text("cff-version: 1.2.0\nversion: 0.1.0\n", "utf-8")
    git(tmp_path, "init", "--quiet", "--initial-branch", "main")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "Begin")
    return tmp_path


def silent(root: Path) -> None:
    """Builds nothing."""


def test_release_moves_the_changelog_sets_the_version_commits_and_tags(repository: Path) -> None:
    built = []
    output = tool.release(repository, "0.2.0", make=lambda root: built.append(tool.version_of(root)))
    assert built == ["0.2.0"]  # what is built bears the new version
    assert (repository / "CITATION.cff").read_text("utf-8") == "cff-version: 1.2.0\nversion: 0.2.0\n"
    assert "git push" in output
    head, _, rest = (repository / "CHANGELOG.md").read_text("utf-8").partition("## 0.2.0 (")
    assert head == "# Changes\n\n## Unreleased\n\n"
    assert rest[10:] == ")\n\n* **New**: a game.\n\n## 0.1.0\n\nThe first.\n"
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "log", "--format=%s", "-1").strip() == "Release 0.2.0"
    assert git(repository, "rev-parse", "v0.2.0^{commit}") == git(repository, "rev-parse", "HEAD")


def test_dry_run_builds_and_leaves_everything_as_it_was(repository: Path) -> None:
    built: list[Path] = []
    assert "could be released" in tool.release(repository, "0.2.0", dry_run=True, make=built.append)
    assert built == [repository]
    unchanged(repository)


def test_failing_build_leaves_everything_as_it_was(repository: Path) -> None:
    def fail(root: Path) -> None:
        raise tool.ReleaseError("the wheel is not complete")

    with pytest.raises(tool.ReleaseError, match="not complete"):
        tool.release(repository, "0.2.0", make=fail)
    unchanged(repository)


def unchanged(repository: Path) -> None:
    assert (repository / "CHANGELOG.md").read_text("utf-8") == LOG
    assert tool.version_of(repository) == "0.1.0"
    assert "\nversion: 0.1.0\n" in (repository / "CITATION.cff").read_text("utf-8")
    assert git(repository, "status", "--porcelain") == ""
    assert git(repository, "tag", "--list") == ""


def test_what_is_not_translated_is_listed_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault in a translation ends the release there."""
    steps: list[list[str]] = []

    def run(step: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        steps.append(step)
        return subprocess.CompletedProcess(step, returncode=1)

    monkeypatch.setattr(tool.subprocess, "run", run)
    with pytest.raises(tool.ReleaseError, match=r"tools/catalogue\.py check"):
        tool.build(tmp_path)
    assert len(steps) == 1


def dirty(root: Path) -> None:
    (root / "new.txt").write_text("new", "utf-8")


def on_another_branch(root: Path) -> None:
    git(root, "switch", "--quiet", "--create", "other")


def without_changes(root: Path) -> None:
    (root / "CHANGELOG.md").write_text("# Changes\n\n## Unreleased\n\n## 0.1.0\n\nThe first.\n", "utf-8")
    git(root, "commit", "--quiet", "--all", "--message", "Empty")


@pytest.mark.parametrize(
    ("prepare", "why"),
    [(dirty, "not committed"), (on_another_branch, "the branch other"), (without_changes, "nothing under")],
)
def test_a_tree_that_is_not_ready_is_refused(repository: Path, prepare: Callable[[Path], None], why: str) -> None:
    prepare(repository)
    with pytest.raises(tool.ReleaseError, match=why):
        tool.release(repository, "0.2.0", make=silent)


@pytest.mark.parametrize(
    ("version", "why"),
    [
        ("two", "is no version"),
        ("0.2", None),
        ("v0.2.0", "is written 0.2.0"),
        ("0.2.0", "exists"),
        ("0.1.9", "not higher"),
    ],
)
def test_a_wrong_version_is_refused(repository: Path, version: str, why: str | None) -> None:
    tool.release(repository, "0.2.0" if why else "0.1.5", make=silent)
    log = repository / "CHANGELOG.md"
    log.write_text(log.read_text("utf-8").replace("## Unreleased\n", "## Unreleased\n\n* More.\n", 1), "utf-8")
    git(repository, "commit", "--quiet", "--all", "--message", "More")
    if why is None:
        assert "tagged" in tool.release(repository, version, make=silent)
    else:
        with pytest.raises(tool.ReleaseError, match=why):
            tool.release(repository, version, make=silent)


def test_the_command_says_why_not_without_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools/release.py", "two"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "No release: 'two' is no version. Write for instance 1.2.3.\n"


def test_the_changelog_of_this_repository_has_the_form() -> None:
    log = (ROOT / "CHANGELOG.md").read_text("utf-8")
    assert log.count(tool.UNRELEASED) == 1
    assert tool.version_of(ROOT)
