"""Install the package, as a wheel, into a temporary directory and check that every file of the source tree is in it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def tree(root: Path) -> set[str]:
    """The package's files below root: sources, rulebook pages and marks."""
    return {path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def main() -> int:
    """Return 0 if the wheel has every file of the source tree."""
    with tempfile.TemporaryDirectory() as place:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, "--target", place, str(ROOT)], check=True)
        missing = sorted(tree(ROOT / "cardtable") - tree(Path(place) / "cardtable"))
    print(f"missing from the wheel: {', '.join(missing)}" if missing else "the wheel is complete")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
