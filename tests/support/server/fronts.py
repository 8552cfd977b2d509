"""The real nginx and the real Caddy with the files of deploy/, in front of a server of a test, over TLS."""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import subprocess
import urllib.request
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.support.commands import ROOT
from tests.support.programs import program
from tests.support.server.served import free_port
from tests.support.waiting import until

DEPLOY = ROOT / "deploy"
SITE = "cards.example.org"  #: the name in the files of deploy/
#: the line of deploy/nginx.conf for each machine
SERVER = "    server 127.0.0.1:8517 max_fails=0;  # a line for each machine\n"


def certify(directory: Path) -> tuple[Path, Path]:
    """A self-signed certificate for localhost, and its key."""
    certificate, key = directory / "certificate.pem", directory / "key.pem"
    command = [
        *(program("openssl"), "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
        *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-addext", "subjectAltName=DNS:localhost"),
        *("-keyout", str(key), "-out", str(certificate)),
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        pytest.fail(f"{command[0]} makes no certificate: {done.stderr.strip()}", pytrace=False)
    return certificate, key


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """A text with parts replaced, each of which must be there."""
    for old, new in pairs:
        assert old in text, f"{old!r} is not in the file"
        text = text.replace(old, new)
    return text


def nginx_file(certificate: Path, key: Path, port: int, behind: int, *more: int) -> str:
    """deploy/nginx.conf for localhost, at a separate port, in front of other ports."""
    text = replaced(
        (DEPLOY / "nginx.conf").read_text("utf-8"),
        ("    listen 80;\n", f"    listen 127.0.0.1:{free_port()};\n"),
        ("    listen [::]:80;\n", ""),
        ("    listen 443 ssl http2;\n", f"    listen 127.0.0.1:{port} ssl http2;\n"),
        ("    listen [::]:443 ssl http2;\n", ""),
        (f"/etc/letsencrypt/live/{SITE}/fullchain.pem", str(certificate)),
        (f"/etc/letsencrypt/live/{SITE}/privkey.pem", str(key)),
        (f"server_name {SITE};", "server_name localhost;"),
        (SERVER, "".join(SERVER.replace("8517", str(one)) for one in (behind, *more))),
    )
    assert SITE not in text
    return text


def nginx_whole(directory: Path, inner: str) -> Path:
    """A whole file for nginx around what Debian's own would include; everything is below a directory."""
    places = "".join(
        f"    {kind}_temp_path {directory}/{kind};\n" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    user = "user root;\n" if os.geteuid() == 0 else ""
    path = directory / "nginx.conf"
    path.write_text(
        f"{user}daemon off;\nworker_processes 1;\npid {directory}/pid;\nerror_log {directory}/errors;\n"
        f"events {{ worker_connections 256; }}\nhttp {{\n    access_log off;\n{places}{inner}}}\n",
        "utf-8",
    )
    return path


@contextlib.contextmanager
def nginx(
    directory: Path,
    port: int,
    behind: int,
    certificate: Path,
    key: Path,
    *changes: tuple[str, str],
    more: Sequence[int] = (),
) -> Iterator[None]:
    """The real nginx, with its file of deploy/ after some changes. more: ports of further servers."""
    path = nginx_whole(directory, replaced(nginx_file(certificate, key, port, behind, *more), *changes))
    with running([program("nginx"), "-p", str(directory), "-c", str(path), "-e", str(directory / "errors")], port):
        yield


def caddy_file(certificate: Path, key: Path, port: int, behind: int, *more: int) -> str:
    """deploy/Caddyfile for localhost, at a separate port, in front of other ports."""
    site = f"https://localhost:{port} {{\n\tbind 127.0.0.1\n\ttls {certificate} {key}"
    text = replaced(
        (DEPLOY / "Caddyfile").read_text("utf-8"),
        ("{\n\tservers {", "{\n\tadmin off\n\tauto_https disable_redirects\n\tservers {"),
        (f"{SITE} {{", site),
        ("127.0.0.1:8517", " ".join(f"127.0.0.1:{one}" for one in (behind, *more))),
    )
    assert SITE not in text
    return text


@contextlib.contextmanager
def caddy(
    directory: Path,
    port: int,
    behind: int,
    certificate: Path,
    key: Path,
    *changes: tuple[str, str],
    more: Sequence[int] = (),
) -> Iterator[None]:
    """The real Caddy, with its file of deploy/ after some changes. more: ports of further servers."""
    path = directory / "Caddyfile"
    path.write_text(replaced(caddy_file(certificate, key, port, behind, *more), *changes), "utf-8")
    with running([program("caddy"), "run", "--config", str(path), "--adapter", "caddyfile"], port, HOME=str(directory)):
        yield


def listened(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
        return True
    return False


@contextlib.contextmanager
def running(command: list[str], port: int, **more: str) -> Iterator[None]:
    """A program that listens at a port, for the time of a test."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | more)
    try:
        until(lambda: process.poll() is not None or listened(port))
        if process.poll() is not None:
            told = process.communicate()[0].decode(errors="replace").strip() or f"exit code {process.returncode}"
            pytest.fail(f"{command[0]} does not start: {told}", pytrace=False)
        yield
    finally:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=90)


def trusting(certificate: Path) -> ssl.SSLContext:
    return ssl.create_default_context(cafile=str(certificate))


@contextlib.contextmanager
def trusted(certificate: Path) -> Iterator[None]:
    """Clients of this process trust a certificate, and no other.

    From Python 3.12 on, urllib reads once whom it trusts: when its first opener is made.
    """
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SSL_CERT_FILE", str(certificate))
            urllib.request.install_opener(urllib.request.build_opener())
            yield
    finally:
        urllib.request.install_opener(urllib.request.build_opener())
