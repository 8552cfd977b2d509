"""Make a release: check, build, commit and tag. Nothing is pushed.

    python tools/release.py 1.2.3 [--dry-run]       (make release VERSION=1.2.3 [ARGS=--dry-run])

1. The tree must be clean and on the branch main, the version higher than the last, its tag new, and CHANGELOG.md must
   have something under "Unreleased".
2. That becomes the version's own section, with its date, and the version is set in `cardtable.__version__` and
   CITATION.cff.
3. tools/catalogue.py lists the texts of each language that are not translated; they are shown in English. A wrong
   translation ends the release.
4. A source distribution and a wheel are built in `dist/`; `twine check` reads what a package index would show, and
   tools/check_package.py compares the wheel with the source tree.
5. The changed files are committed, and the commit is tagged `v1.2.3`.

If a step fails, or with --dry-run, they are put back as they were, and nothing is committed. The tests are not
run here: run `.ci/run` first.
"""

from __future__ import annotations

import argparse
import datetime
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from packaging.version import InvalidVersion, Version

ROOT = Path(__file__).resolve().parent.parent
BRANCH = "main"
UNRELEASED = "## Unreleased\n"
_VERSION = re.compile(r'^__version__ = "(.+)"$', re.MULTILINE)
_CITED = re.compile(r"^version: .+$", re.MULTILINE)


class ReleaseError(Exception):
    """Why no release can be made, and what can be done."""


def git(root: Path, *words: str) -> str:
    """The output of a git command."""
    return subprocess.run(["git", *words], cwd=root, check=True, capture_output=True, text=True).stdout.strip()


def changed(log: str, version: str, date: str) -> str:
    """The changelog with the unreleased changes as a section for the version.

    Raises ReleaseError if there is nothing.
    """
    before, mark, after = log.partition(UNRELEASED)
    changes, _, older = after.partition("\n## ")
    if not mark or not changes.strip():
        raise ReleaseError('CHANGELOG.md has nothing under "Unreleased". Write down what changed.')
    return f"{before}{UNRELEASED}\n## {version} ({date})\n\n{changes.strip()}\n" + (f"\n## {older}" if older else "")


def check(root: Path, version: str) -> None:
    """Raise ReleaseError unless this version can be made from the tree."""
    try:
        wanted = Version(version)
    except InvalidVersion:
        raise ReleaseError(f"{version!r} is no version. Write for instance 1.2.3.") from None
    if str(wanted) != version:
        raise ReleaseError(f"{version!r} is written {wanted}. Write it so.")
    if (branch := git(root, "branch", "--show-current")) != BRANCH:
        raise ReleaseError(f"This is the branch {branch or '(none)'}. Switch to {BRANCH}.")
    if git(root, "status", "--porcelain"):
        raise ReleaseError("The tree has changes that are not committed. Commit or stash them.")
    if git(root, "tag", "--list", f"v{version}"):
        raise ReleaseError(f"The tag v{version} exists. Take the next version.")
    if wanted <= Version(current := version_of(root)) and git(root, "tag", "--list"):
        raise ReleaseError(f"{version} is not higher than {current}. Take a higher one.")


def version_of(root: Path) -> str:
    """The version that the package has now."""
    versions = _VERSION.findall((root / "cardtable/__init__.py").read_text("utf-8"))
    if len(versions) != 1:
        raise ReleaseError('cardtable/__init__.py must have one line `__version__ = "..."`. Put it back.')
    return str(versions[0])


def build(root: Path) -> None:
    """Check the translations, build both distributions into dist/, and check them."""
    shutil.rmtree(root / "dist", ignore_errors=True)
    steps = (
        [sys.executable, "tools/catalogue.py", "check"],
        [sys.executable, "-m", "build", "--outdir", "dist", "."],
        [sys.executable, "-m", "twine", "check", "--strict", "dist/*"],
        [sys.executable, "tools/check_package.py"],
    )
    for step in steps:
        if subprocess.run(step, cwd=root, check=False).returncode:
            raise ReleaseError(f"This failed: {' '.join(step[1:])}. What it printed stands above.")


def release(root: Path, version: str, *, dry_run: bool = False, make: Callable[[Path], None] = build) -> str:
    """Make a release of the repository at root; return what was done. make: builds and checks the distributions."""
    check(root, version)
    log, package, citation = root / "CHANGELOG.md", root / "cardtable/__init__.py", root / "CITATION.cff"
    old = {path: path.read_bytes() for path in (log, package, citation)}
    try:
        date = datetime.datetime.now(datetime.UTC).date().isoformat()
        log.write_text(changed(log.read_text("utf-8"), version, date), "utf-8")
        package.write_text(_VERSION.sub(f'__version__ = "{version}"', package.read_text("utf-8")), "utf-8")
        citation.write_text(_CITED.sub(f"version: {version}", citation.read_text("utf-8")), "utf-8")
        make(root)
        if dry_run:
            return f"{version} could be released; nothing was changed but dist/."
        both = (path.relative_to(root).as_posix() for path in old)
        git(root, "commit", "--quiet", "--message", f"Release {version}", "--", *both)
    except BaseException:
        dry_run = True
        raise
    finally:
        if dry_run:
            for path, content in old.items():
                path.write_bytes(content)
    git(root, "tag", "--annotate", f"v{version}", "--message", f"Cardtable {version}")
    return f"{version} is committed and tagged. To publish it: git push origin {BRANCH} v{version}, then upload dist/."


def main(arguments: list[str]) -> int:
    """Make the release; return an exit code."""
    parser = argparse.ArgumentParser(prog="release.py", description="Check, build, commit and tag a release.")
    parser.add_argument("version", help="for instance 1.2.3")
    parser.add_argument("--dry-run", action="store_true", help="do everything but keep the changes, commit and tag")
    given = parser.parse_args(arguments)
    try:
        print(release(ROOT, given.version, dry_run=given.dry_run))
    except ReleaseError as error:
        print(f"No release: {error}", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        print(f"No release: {' '.join(error.cmd)} failed: {error.stderr.strip()}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
