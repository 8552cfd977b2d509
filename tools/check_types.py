"""Check the types of the browser client with `tsc --checkJs`, in CI or after changes of the client; it needs Node.

`check_types.py [HOME]` puts TypeScript into HOME (default: the running virtual environment's folder) the first time.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGE, VERSION = "typescript", "5.9.3"
SUM = "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3"  #: SHA-256 of its archive


def fetch(home: Path) -> None:
    """Download the compiler, compare it with its checksum, and unpack it."""
    with tempfile.TemporaryDirectory() as place:
        done = subprocess.run(
            ["npm", "pack", "--silent", f"{PACKAGE}@{VERSION}"], cwd=place, check=True, capture_output=True, text=True
        )
        archive = Path(place) / done.stdout.split()[-1]
        found = hashlib.sha256(archive.read_bytes()).hexdigest()
        if found != SUM:
            raise SystemExit(f"{PACKAGE} {VERSION} is not the one that was pinned: its SHA-256 is {found}")
        with tarfile.open(archive) as packed:
            packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
            packed.extractall(home)


def main() -> int:
    """Run the compiler; return its exit code."""
    if not shutil.which("node") or not shutil.which("npm"):
        print("check_types: Node and npm are needed (on Debian: apt-get install nodejs npm)", file=sys.stderr)
        return 2
    home = Path(sys.argv[1] if sys.argv[1:] else sys.prefix) / f"{PACKAGE}-{VERSION}"
    compiler = home / "package" / "bin" / "tsc"
    if not compiler.exists():
        fetch(home)
    return subprocess.run(["node", compiler, "--project", ROOT / "tests" / "tsconfig.json"]).returncode


if __name__ == "__main__":
    sys.exit(main())
