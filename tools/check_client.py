"""Check the browser client: its types with `tsc --checkJs`, its layout (and its tests') with Prettier. It needs Node.

The types of what the server sends are made from its schema (`wire_types.py`): `import("wire").TableSeen`.

`check_client.py [--write] [HOME]` puts both programs into HOME (default: the running virtual environment's folder) the
first time. With `--write` Prettier changes the layout instead of complaining about it.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

import wire_types

ROOT = Path(__file__).resolve().parent.parent
#: packages of the npm registry: name, version, SHA-256 of the archive
TYPESCRIPT = ("typescript", "5.9.3", "10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3")
PRETTIER = ("prettier", "3.6.2", "bc81ab83674f175a8601b7d013786f48ec2507dd4a5fcf3415831ff13a875bdf")


def fetched(home: Path, name: str, version: str, checksum: str) -> Path:
    """The folder of a package, which is put below `home` and compared with its checksum the first time."""
    folder = home / f"{name}-{version}"
    if folder.exists():
        return folder / "package"
    with tempfile.TemporaryDirectory() as place:
        command = ["npm", "pack", "--silent", f"{name}@{version}"]
        done = subprocess.run(command, cwd=place, check=True, capture_output=True, text=True)
        archive = Path(place) / done.stdout.split()[-1]
        digest = hashlib.sha256(archive.read_bytes()).hexdigest()
        if digest != checksum:
            raise SystemExit(f"{name} {version} is not the one that was pinned: its SHA-256 is {digest}")
        with tarfile.open(archive) as packed:
            packed.extraction_filter = getattr(tarfile, "data_filter", None)  # Python before 3.11.4 has none
            packed.extractall(Path(place) / "unpacked")
        shutil.move(Path(place) / "unpacked", folder)
    return folder / "package"


def main() -> int:
    """Run both programs; return 0 if neither complains."""
    wanted = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    wanted.add_argument("--write", action="store_true", help="change the layout where it is not Prettier's")
    wanted.add_argument("home", nargs="?", type=Path, default=Path(sys.prefix), help="where the programs are put")
    given = wanted.parse_args()
    if not shutil.which("node") or not shutil.which("npm"):
        print("check_client: Node and npm are needed (on Debian: apt-get install nodejs npm)", file=sys.stderr)
        return 2
    compiler = fetched(given.home, *TYPESCRIPT) / "bin" / "tsc"
    formatter = fetched(given.home, *PRETTIER) / "bin" / "prettier.cjs"
    layout: list[str | Path] = ["node", formatter, "--log-level=warn", "--write" if given.write else "--check"]
    web = ROOT / "cardtable" / "web"
    own = [*web.glob("*.js"), *web.glob("*/*.js"), *web.glob("style/*.css")]
    files = sorted([*own, *(ROOT / "tests" / "client").glob("*.js")])
    types = ROOT / "build" / "wire" / "index.d.ts"
    types.parent.mkdir(parents=True, exist_ok=True)
    types.write_text(wire_types.declarations("../../cardtable/web/text/message.js"), "utf-8")
    results = [
        subprocess.run([*layout, *files], cwd=ROOT).returncode,
        subprocess.run(["node", compiler, "--project", ROOT / "tests" / "tsconfig.json"]).returncode,
    ]
    return max(results)


if __name__ == "__main__":
    sys.exit(main())
