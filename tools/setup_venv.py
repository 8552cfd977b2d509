"""Make a virtual environment and install Cardtable into it: `python3 tools/setup_venv.py .venv [EXTRA ...]`.

Needs nothing but Python and pip, and works where pip refuses to install outside a virtual environment and where
Python came without ensurepip. It runs on old versions of Python too, to say that they are too old.
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OLDEST = (3, 11)
NO_PIP = """\
This Python cannot put pip into a virtual environment (its module ensurepip is missing), and has no pip itself.
Install one of them, then run the same command again. On Debian and Ubuntu: apt-get install python3-venv
"""


def has(module: str) -> bool:
    """Whether this Python can run a module."""
    command = [sys.executable, "-c", "import " + module]
    return subprocess.call(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def main(home: str, extras: list) -> int:  # type: ignore[type-arg]  # old versions of Python have no list[str]
    """Make `home` unless it is there, and install the package with its extras, in place. Return an exit code."""
    if sys.version_info < OLDEST:
        sys.stderr.write("Cardtable needs Python {}.{} or newer; this is {}.\n".format(*OLDEST, sys.version.split()[0]))
        sys.stderr.write("Name another, for instance: make PYTHON=python3.12 ...\n")
        return 2
    python = os.path.join(home, "Scripts" if os.name == "nt" else "bin", "python")
    own_pip = has("ensurepip")
    if not own_pip and not has("pip"):
        sys.stderr.write(NO_PIP)
        return 2
    quiet = ["install", "--quiet", "--disable-pip-version-check"]
    if not os.path.exists(python):
        subprocess.check_call([sys.executable, "-m", "venv", *([] if own_pip else ["--without-pip"]), home])
        if not own_pip:  # this Python's pip installs one into the environment
            subprocess.check_call([sys.executable, "-m", "pip", "--python", python, *quiet, "pip"])
    os.environ["PYTHONWARNINGS"] = "ignore"  # the build tool warns about every editable installation
    what = ROOT + ("[" + ",".join(extras) + "]" if extras else "")
    # Bytecode is made as modules are first imported: making all of it at once takes longer than everything else here.
    return subprocess.call([python, "-m", "pip", *quiet, "--no-compile", "--editable", what])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
