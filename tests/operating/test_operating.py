"""The guide to running a server names what there is: files, events of the log, refusals, figures, settings."""

from __future__ import annotations

import re
from dataclasses import fields

from cardtable.server.metrics import Metrics
from cardtable.server.settings import Settings
from tests.support.commands import ROOT

SEVERAL = (ROOT / "docs" / "several-machines.md").read_text("utf-8")
GUIDE = (ROOT / "docs" / "operating.md").read_text("utf-8") + SEVERAL
DEPLOY = ROOT / "deploy"
SOURCES = "".join(path.read_text("utf-8") for path in sorted((ROOT / "cardtable" / "server").rglob("*.py")))


def section(heading: str) -> str:
    found = re.search(rf"^## \d+\. {heading}\n(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    assert found, heading
    return found[1]


def rows(text: str) -> dict[str, str]:
    """The rows of the tables in a text: each name in the first cell, and the rest of its row."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        if line.startswith("| `"):
            first, _, rest = line[2:].partition(" | ")
            found |= dict.fromkeys(re.findall(r"`([^`]+)`", first), rest)
    return found


def test_every_file_for_operators_is_named() -> None:
    named = GUIDE + "".join(path.read_text("utf-8") for path in DEPLOY.iterdir())
    assert [path.name for path in DEPLOY.iterdir() if path.name not in GUIDE] == []
    assert [name for name in re.findall(r"deploy/([\w.-]+\w)", named) if not (DEPLOY / name).exists()] == []


def test_every_event_of_the_log_is_described() -> None:
    events = set(re.findall(r'\blogs\.(?:event|request)\(\s*"([a-z.-]+)"', SOURCES))
    events |= set(re.findall(r'ev\.\w+: "([a-z.-]+)"', SOURCES)) | {"log.left-out"}
    assert len(events) > 8
    assert events == set(rows(section("The log")))


def test_every_reason_of_a_refusal_is_described() -> None:
    """The rates of operations, and what the server says where it refuses."""
    from cardtable.server.http.api import OPERATIONS

    told = rows(section("The log"))["refused"]
    rates = {declared.rate for declared in OPERATIONS if declared.rate}
    reasons = {*rates, "records", *re.findall(r'refused\("([a-z]+)"', SOURCES), "full", "cookie", "rate", "address"}
    assert [why for why in sorted(reasons) if f"`{why}`" not in told] == []


def test_every_figure_is_described() -> None:
    text = Metrics().text().decode()
    figures = {name for name in re.findall(r"^# TYPE (\S+)", text, re.MULTILINE) if not name.endswith("_created")}
    assert figures == {name for name in rows(section("Health and figures")) if name.startswith("cardtable_")}


def test_settings_in_the_guide_exist() -> None:
    known = {field.name for field in fields(Settings)} | {"host", "port", "database"}
    named = set(re.findall(r"`((?:keep|log|most|allowed|metrics|answer|delete)_[a-z_]+)`", GUIDE))
    named |= {name.lower() for name in re.findall(r"CARDTABLE_SERVER_([A-Z_]+)=", GUIDE)}
    assert len(named) > 10
    assert named <= known


def test_the_names_of_the_service_agree() -> None:
    service = (DEPLOY / "cardtable.service").read_text("utf-8")
    for place in ("/etc/cardtable/cardtable.toml", "/usr/local/lib/cardtable", "/var/lib/cardtable"):
        assert place in service
        assert place in GUIDE
