"""A level that has another name now is understood wherever its former name may stand."""

from __future__ import annotations

import msgspec
import pytest

from cardtable import Match
from cardtable.base.errors import OptionError
from cardtable.bots import bot, levels_of
from cardtable.lab.study.cells import Cell
from cardtable.server.thinking.jobs import level_of
from cardtable.table import events as ev
from cardtable.table.setup import Setup


def test_it_may_be_typed() -> None:
    assert levels_of("simple,SIMPLE,search", 3) == ("medium", "medium", "search")
    assert bot("simple", 1).name == "medium"
    match = Match("busca", 3, seed=1)
    assert match.ending(match.actors[0], opponents="simple").opponents == "medium"
    with pytest.raises(OptionError):
        bot("simple:200")


def test_a_log_has_it() -> None:
    event = msgspec.json.decode(b'{"kind":"bot-sat","seat":1,"level":"simple"}', type=ev.BotSat)
    assert event == ev.BotSat(1, "medium")
    setup = msgspec.json.decode(b'{"game":"busca","bots":["","simple","search"],"fill":"simple"}', type=Setup)
    assert setup == Setup("busca", bots=("", "medium", "search"))


def test_a_record_has_it() -> None:
    assert [level_of(name) for name in ("bot: simple", "bot: medium", "simple", "Ann")] == ["medium", "medium", "", ""]


def test_digests_of_studies_keep_it() -> None:
    cell = Cell((), "busca", 3, (), ("medium", "search", "random"))
    assert cell.as_dict()["bots"] == ["medium", "search", "random"]
    assert cell.lasting()["bots"] == ["simple", "search", "random"]
