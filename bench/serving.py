"""A server for benchmarks of the browser: `cardtable serve` at its usual pace, in a process of its own."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@contextmanager
def serving(**settings: str) -> Iterator[str]:
    """A server that answers; its address. settings: variables of its environment."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "cardtable", "serve", "--no-browser", "--port", str(port)]
        command += ["--database", f"sqlite:///{place}/tables.db"]
        around = os.environ | {"PYTHONPATH": str(ROOT)} | settings
        server = subprocess.Popen(command, cwd=ROOT, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            url = f"http://127.0.0.1:{port}"
            while True:
                try:
                    urllib.request.urlopen(f"{url}/healthz", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.02)
            yield url
        finally:
            server.terminate()
            server.wait()
