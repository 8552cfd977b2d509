"""Settings of the server from a file, the environment and the command line; every one is described."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import HTTPConnection

from cardtable import Match
from cardtable.server.configuration import Configuration, SettingsError, described, load
from cardtable.server.net.guard import scheme_of
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store, StoreError
from tests.support.commands import ROOT, call, leave_process_alone
from tests.support.server.served import served as running

sys.path.insert(0, str(ROOT / "tools"))
import server_pages


def of(text: str, tmp_path: Path, **environment: str) -> Configuration:
    path = tmp_path / "server.toml"
    path.write_text(text, "utf-8")
    return load(path, environment)


def test_without_a_word_everything_is_as_usual() -> None:
    assert load(None, {"HOME": "/", "CARDTABLE_PORT": "1"}) == Configuration()


def test_a_file_and_the_environment(tmp_path: Path) -> None:
    text = 'host = "::"\nport = 0\nsecure = true\ntables_rate = [5, 60]\nproxies = ["10.0.0.1", "::1"]\nidle = 60\n'
    found = of(text, tmp_path, CARDTABLE_SERVER_IDLE="90.5", CARDTABLE_SERVER_DATABASE="sqlite:///x.db")
    assert (found.host, found.port, found.database) == ("::", 0, "sqlite:///x.db")
    assert found.settings == Settings(
        secure=True, tables_rate=(5, 60.0), proxies=frozenset({"10.0.0.1", "::1"}), idle=90.5
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [("10.0.0.1", {"10.0.0.1"}), ("10.0.0.1, ::1", {"10.0.0.1", "::1"}), ('["::1"]', {"::1"}), ("[]", set())],
)
def test_several_texts_in_the_environment(text: str, value: set[str]) -> None:
    assert load(None, {"CARDTABLE_SERVER_PROXIES": text}).settings.proxies == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("idel = 3", "Did you mean idle?"),
        ("secure = 1", "it should be true or false"),
        ('workers = "two"', "it should be a whole number"),
        ("workers = 0", "0 is too small"),
        ("workers = 1.5", "it should be a whole number"),
        ("think = -1.0", "-1.0 is too small"),
        ("think = nan", "nan is no number"),
        ("request_rate = [1]", "it should be two numbers, such as [20, 10.0]"),
        ("request_rate = [0, 60.0]", "0 is too small"),
        ('proxies = ["localhost"]', "localhost is not an IP address"),
        ('origins = ["example.org"]', "example.org is not an origin"),
        ('origins = ["https://example.org/cards"]', "is not an origin"),
        ("port = 65536", "65536 is too large"),
        ('internal = "cards:8600"', "cards:8600 is not an address with a port"),
        ('internal = "0.0.0.0:8600"', "other machines cannot connect to 0.0.0.0"),
        ('internal = "[::]:8600"', "other machines cannot connect to [::]"),
        ("port = ", "Write it in TOML"),
        ("[server]\nport = 1", "there is no such setting"),
    ],
)
def test_a_wrong_setting_is_refused_with_the_reason(text: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as refused:
        of(text, tmp_path)
    assert says in str(refused.value), str(refused.value)


def test_a_wrong_variable_is_named() -> None:
    with pytest.raises(SettingsError, match="CARDTABLE_SERVER_SECURE"):
        load(None, {"CARDTABLE_SERVER_SECURE": "yes, please"})


def test_no_file_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        load(tmp_path / "none.toml", {})


def test_every_setting_is_described() -> None:
    meanings = described()
    assert [field.name for field in fields(Settings) if not meanings.get(field.name)] == []
    rows = server_pages.settings().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [field.name for field in fields(Settings)]
    assert "| `longest_frame` | `8192` | a message on a socket |" in rows


@pytest.mark.parametrize(
    ("settings", "headers", "status"),
    [
        ({}, {}, 200),
        ({"metrics_to": frozenset({"10.0.0.1"})}, {}, 403),
        ({}, {"X-Forwarded-For": "127.0.0.1"}, 403),  # a proxy that this server does not know of
        ({"proxies": frozenset({"127.0.0.1"})}, {"X-Forwarded-For": "198.51.100.7"}, 403),
        ({"proxies": frozenset({"127.0.0.1"})}, {}, 200),
        (
            {"proxies": frozenset({"127.0.0.1"}), "metrics_to": frozenset({"198.51.100.7"})},
            {"X-Forwarded-For": "198.51.100.7"},
            200,
        ),
    ],
)
def test_figures_are_for_the_operator(
    settings: dict[str, Any], headers: dict[str, str], status: int, tmp_path: Path
) -> None:
    with running(tmp_path / "t.db", **settings) as server:
        assert httpx.get(f"{server.url}/metrics", headers=headers).status_code == status


def test_an_address_may_keep_so_many_records(tmp_path: Path) -> None:
    """A record that is refused does not count."""
    m = Match("fan-tan", 3, seed=1, deals=1)
    m.resign(0)
    text = str(m.record())
    with running(tmp_path / "t.db", loopback_is_free=False, records_rate=(2, 86_400.0)) as server:
        asked = [httpx.post(f"{server.url}/api/records", content=each) for each in (text, "x = 1", text, text)]
        assert [answer.status_code for answer in asked] == [201, 400, 201, 429]


@pytest.mark.parametrize(
    ("settings", "told", "scheme"),
    [
        ({}, "https", "http"),
        ({"proxies": frozenset({"127.0.0.1"})}, "https", "https"),
        ({"proxies": frozenset({"127.0.0.1"})}, "", "http"),
        ({"proxies": frozenset({"127.0.0.1"})}, "javascript", "http"),
        ({"secure": True}, "", "https"),
    ],
)
def test_a_link_has_the_scheme_of_the_proxy(settings: dict[str, Any], told: str, scheme: str) -> None:
    headers = [(b"host", b"cards.example.org")] + ([(b"x-forwarded-proto", told.encode())] if told else [])
    scope = {"type": "http", "scheme": "http", "path": "/", "headers": headers, "client": ("127.0.0.1", 1)}
    assert scheme_of(HTTPConnection(scope), Settings(**settings)) == scheme


@pytest.mark.parametrize(
    ("url", "says"),
    [
        (
            "postgresql+psycopg://nobody@localhost/none",
            "psycopg is not installed: pip install '.[postgres]' in Cardtable's folder",
        ),
        ("postgresql+pg8000://nobody@localhost/none", "pg8000 is not installed: pip install 'pg8000'"),
    ],
)
def test_a_driver_that_is_not_installed_is_named(url: str, says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("psycopg", "pg8000"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(StoreError) as error:
        Store(url)
    assert str(error.value) == says


def test_the_example_of_the_guide_can_be_used(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "server.md").read_text("utf-8")
    example = guide.partition("## 6. Settings")[2].partition("```toml\n")[2].partition("```")[0]
    found = of(example, tmp_path)
    assert (found.host, found.port, found.settings.secure) == ("0.0.0.0", 8517, True)


def test_the_command_line_overrides_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With databases that are none, so that it ends at once."""
    (tmp_path / "server.toml").write_text('database = "nothing://file"\n', "utf-8")
    leave_process_alone(monkeypatch)
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def told(code: int, *words: str) -> str:
        found, _, error = call(capsys, "serve", "--port", "0", *words)
        assert found == code
        return error

    assert "nothing" in told(3, "--config", "server.toml")
    monkeypatch.setenv("CARDTABLE_SERVER_DATABASE", "other://variable")
    assert "other" in told(3, "--config", "server.toml")
    assert "third" in told(3, "--database", "third://line")
    monkeypatch.delenv("CARDTABLE_SERVER_DATABASE")
    told(2, "--config", "none.toml")
    monkeypatch.setenv("CARDTABLE_SERVER_IDEL", "3")
    assert "Did you mean idle?" in told(2)
