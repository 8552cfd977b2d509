"""A server that is started as its service starts it: `cardtable serve --config FILE`, in a separate process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import httpx

from tests.support.commands import ROOT, surroundings

QUICK = {f"CARDTABLE_SERVER_{name}": "0.01" for name in ("BOT_PACE", "BOT_LEAST", "BEAT")}


class Service:
    """A server with settings in a file, and data in a separate directory."""

    def __init__(self, directory: Path, settings: str) -> None:
        """settings: the text of the file; those of rates are raised, because people of a test play fast."""
        directory.mkdir()
        self.directory = directory
        path = directory / "cardtable.toml"
        path.write_text(settings + "\nsocket_rate = [60000, 20.0]\n", "utf-8")
        self._log = directory / "log"
        with self._log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "cardtable", "serve", "--config", str(path), "--no-browser"],
                cwd=ROOT,
                stdout=subprocess.PIPE,
                stderr=log,
                env=surroundings(CARDTABLE_DATA=str(directory), **QUICK),
            )

    @property
    def log(self) -> str:
        return self._log.read_text("utf-8")

    @property
    def children(self) -> list[int]:
        command = ["pgrep", "-P", str(self.process.pid), "-f", "cardtable.server.member"]
        told = subprocess.run(command, capture_output=True, text=True, check=False)
        return [int(line) for line in told.stdout.split()]

    def wait(self) -> None:
        assert self.process.stdout
        assert b"Cardtable is at" in self.process.stdout.readline(), self.log

    def figures(self, url: str, source: str) -> str:
        """What Prometheus receives at an address of this machine."""
        with httpx.Client(transport=httpx.HTTPTransport(local_address=source)) as client:
            return client.get(f"{url}/metrics").text

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.terminate()
            assert self.process.wait(30) == 0
        if self.process.stdout:
            self.process.stdout.close()
