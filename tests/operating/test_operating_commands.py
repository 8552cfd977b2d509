"""The commands of the guide do what they are there for, in a directory that stands for the machine's root."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from cardtable.server.configuration import load
from tests.operating.test_operating import GUIDE
from tests.support.commands import ROOT
from tests.support.programs import program
from tests.support.server.fronts import DEPLOY

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the commands of the guide are for Debian")
NAME = "cards.friends.test"
BLOCKS = re.findall(r"^```console\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
LINES = [line for block in BLOCKS for line in block.splitlines() if line.startswith("$ ")]
#: each once: the second page repeats how to have several processes
COMMANDS = list(dict.fromkeys(line.removeprefix("$ ") for line in LINES))


def run(command: str, root: Path) -> None:
    """Run a command of the guide without root's rights, with `root` instead of `/`."""
    command = re.sub(r"^sudo |--owner=\S+ |--group=\S+ ", "", command)
    command = re.sub(r"(?<=[ ])/(?=(?:etc|usr|var)/)", f"{root}/", command)
    environment = os.environ | {"name": NAME}
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"{command}: {done.stderr}"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory after all files were installed and changed, each change checked to change something."""
    root = tmp_path_factory.mktemp("machine")
    for place in ("etc/systemd/system", "etc/caddy", "etc/nginx/conf.d"):
        (root / place).mkdir(parents=True)
    for command in COMMANDS:
        if command.startswith(("sudo install --mode", "sudo install -D")):
            run(command, root)
        elif command.startswith("sudo sed --in-place"):
            file = root / shlex.split(command, comments=True)[-1].lstrip("/")
            before = file.read_text("utf-8")
            run(command, root)
            assert file.read_text("utf-8") != before, f"it changes nothing: {command}"
    return root


def test_every_file_of_the_service_is_installed(machine: Path) -> None:
    installed = {path.name for path in machine.rglob("*") if path.is_file()}
    others = {"nginx.conf", "Containerfile", "grafana.json"}  # cardtable.conf; for podman; for Grafana
    assert {path.name for path in DEPLOY.iterdir()} - others <= installed
    assert (machine / "etc/nginx/conf.d/cardtable.conf").exists()


def test_the_settings_have_the_name_and_the_database(machine: Path) -> None:
    given = load(machine / "etc/cardtable/cardtable.toml", {})
    assert given.settings.allowed_hosts == {NAME}
    assert given.processes == 2
    assert str(given.database) == "postgresql+psycopg://cardtable@/cardtable_restored?host=/run/postgresql"
    assert "postgresql:///cardtable_restored " in (machine / "etc/systemd/system/cardtable-backup.service").read_text()


def test_proxies_take_the_files_for_trying_it(machine: Path, tmp_path: Path) -> None:
    """With certificates that come from no one else."""
    caddyfile = machine / "etc/caddy/Caddyfile"
    command = [program("caddy"), "adapt", "--config", str(caddyfile), "--adapter", "caddyfile"]
    done = subprocess.run(
        command, capture_output=True, text=True, env={"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    )
    assert done.returncode == 0, done.stderr
    adapted = json.loads(done.stdout)
    (policy,) = adapted["apps"]["tls"]["automation"]["policies"]
    assert policy["subjects"] == [NAME]
    assert policy["issuers"] == [{"module": "internal"}]
    text = (machine / "etc/nginx/conf.d/cardtable.conf").read_text("utf-8")
    assert text.count(f"server_name {NAME};") == 2
    assert re.findall(r"^    ssl_certificate(?:_key)? +(\S+);$", text, re.MULTILINE) == [
        "/etc/ssl/certs/ssl-cert-snakeoil.pem",
        "/etc/ssl/private/ssl-cert-snakeoil.key",
    ]


def test_refusals_are_counted_in_the_journal(tmp_path: Path) -> None:
    """In which systemd has separate lines, which are no JSON."""
    (command,) = [one for one in COMMANDS if "| jq" in one]
    journal = tmp_path / "journal"
    lines = [json.dumps({"event": "refused", "why": why}) for why in ("host", "guess", "host")]
    journal.write_text(
        "\n".join(["Started cardtable.service.", lines[0], "8517", *lines[1:], '{"event": "request"}\n'])
    )
    reading, _, rest = command.partition(" | ")
    assert reading.startswith("sudo journalctl -u cardtable")
    program("jq")
    done = subprocess.run(["bash", "-c", f"cat {journal} | {rest}"], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == ["1", "guess", "2", "host"]


def test_no_command_asks_while_others_wait() -> None:
    """What was pasted after it would be taken as the answer: such a command is the last of its block."""
    asking = re.compile(r"apt-get install (?!--yes )|certbot certonly|pwprompt|password cardtable\b|createuser -P")
    asked = [line for block in BLOCKS for line in block.splitlines() if asking.search(line)]
    assert len(asked) == 2
    assert [line for line in asked if not any(block.endswith(f"{line}\n") for block in BLOCKS)] == []
