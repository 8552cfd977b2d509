"""Third-party parts of the browser client: `vendor.py check` (default) compares them with their checksums, `vendor.py
fetch` downloads them again with `npm pack` (for maintainers; players do not need Node).

The court cards are cut down to their art: indices, big pips and frames are drawn by the client, in the colours that a
player has chosen. Their paths are rounded to what can be seen.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "cardtable" / "web"
TESTS = ROOT / "tests" / "vendor"
SUMS = ROOT / "tools" / "vendor.sha256"

COURTS = [rank + suit for rank in "JQK" for suit in "SHDC"]
#: package and version -> file in it -> its place here
PARTS: dict[str, dict[str, Path]] = {
    "preact@11.2.0": {
        "dist/preact.mjs": WEB / "vendor" / "preact.mjs",
        "hooks/dist/hooks.mjs": WEB / "vendor" / "hooks.mjs",
        "LICENSE": WEB / "vendor" / "preact.LICENSE.txt",
    },
    "htm@3.1.1": {"dist/htm.mjs": WEB / "vendor" / "htm.mjs", "LICENSE": WEB / "vendor" / "htm.LICENSE.txt"},
    "@heruka_urgyen/react-playing-cards@0.5.0": {
        "LICENSE": WEB / "cards" / "package.LICENSE.txt",
        "README.md": WEB / "cards" / "package.README.txt",
        **{f"src/images/2color/{card}.svg": WEB / "cards" / f"{card}.svg" for card in COURTS},
    },
    "js-sha256@1.0.0": {
        "build/sha256.min.mjs": WEB / "vendor" / "sha256.mjs",
        "LICENSE.txt": WEB / "vendor" / "sha256.LICENSE.txt",
    },
    "@fontsource-variable/source-sans-3@5.3.1": {
        "files/source-sans-3-latin-wght-normal.woff2": WEB / "fonts" / "source-sans-latin.woff2",
        "files/source-sans-3-latin-ext-wght-normal.woff2": WEB / "fonts" / "source-sans-latin-ext.woff2",
        "LICENSE": WEB / "fonts" / "source-sans.LICENSE.txt",
    },
    "@fontsource-variable/fraunces@5.3.0": {
        "files/fraunces-latin-wght-normal.woff2": WEB / "fonts" / "fraunces-latin.woff2",
        "LICENSE": WEB / "fonts" / "fraunces.LICENSE.txt",
    },
    "axe-core@4.14.1": {"axe.min.js": TESTS / "axe.min.js", "LICENSE": TESTS / "axe-core.LICENSE.txt"},
}


def art(svg: str) -> str:
    """A court card without its index, pips and frame, cropped to the picture."""
    svg = re.sub(r"^<\?xml.*?\?>\s*", "", svg)
    svg = re.sub(r'<rect width="239"[^>]*></rect>', "", svg)
    svg = re.sub(r'<use xlink:href="#[VX]\w+"[^>]*></use>', "", svg)
    svg = re.sub(r'<use xlink:href="#S\w+" height="(?:26|55)[^>]*></use>', "", svg)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="-82.4 -130.4 '
        '164.8 260.8" preserveAspectRatio="none"'
    )
    svg = re.sub(r"^<svg[^>]*", head, svg, count=1)
    return re.sub(r'(?<= d=")[^"]*', lambda path: FINE.sub(rounded, path[0]), svg)


#: a number of a path with more than one decimal place; 1300 of its units are the width of a picture
FINE = re.compile(r"(?<![\d.])-?\d*\.\d{2,}(?![\d.])")


def rounded(number: re.Match[str]) -> str:
    """A number to one decimal place."""
    return f"{float(number[0]):.1f}".removesuffix(".0")


#: of a script: its documentation, comments that take a line or name an address, and the name of its source map
UNSHIPPED = re.compile(r"^[ \t]*/\*\*.*?\*/\n|^[ \t]*//[^\n]*\n|[ \t]*// https?:[^\n]*", re.DOTALL | re.MULTILINE)


def shipped(target: Path, whole: bytes) -> bytes:
    """A file of a package as it is shipped under a name."""
    if target.suffix == ".woff2":
        return whole
    text = whole.decode()
    return (art(text) if target.suffix == ".svg" else UNSHIPPED.sub("", text)).encode()


def fetch() -> None:
    """Write the parts from their packages, and their checksums."""
    with tempfile.TemporaryDirectory() as place:
        for package, files in PARTS.items():
            name = subprocess.check_output(["npm", "pack", "--silent", package], cwd=place, text=True).split()[-1]
            with tarfile.open(Path(place) / name) as archive:
                for name, target in files.items():
                    member = archive.extractfile(f"package/{name}")
                    assert member is not None, name
                    target.parent.mkdir(parents=True, exist_ok=True)
                    target.write_bytes(shipped(target, member.read()))
    lines = [f"{digest(path)}  {path.relative_to(ROOT).as_posix()}" for path in paths()]
    SUMS.write_text("\n".join(lines) + "\n", "utf-8")


def paths() -> list[Path]:
    """Every vendored file."""
    return sorted(path for files in PARTS.values() for path in files.values())


def digest(path: Path) -> str:
    """The SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wrong() -> list[str]:
    """Vendored files that are missing, changed, or not in the list."""
    known = {name: sum for sum, _, name in (line.partition("  ") for line in SUMS.read_text("utf-8").splitlines())}
    names = {path.relative_to(ROOT).as_posix(): path for path in paths()}
    bad = [name for name, path in names.items() if not path.exists() or known.get(name) != digest(path)]
    return sorted({*bad, *(set(known) - set(names))})


def main() -> int:
    """Return 0 if the vendored files match the list."""
    if sys.argv[1:] == ["fetch"]:
        fetch()
    faults = wrong()
    print(f"not as they should be: {', '.join(faults)}" if faults else f"{len(paths())} vendored files are whole")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
