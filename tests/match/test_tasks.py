"""The tasks for a class."""

from __future__ import annotations

import msgspec
import pytest

from cardtable.match.task import PUPIL, SEED, tasks
from cardtable.server.http.teaching_api import _told
from tests.support.effort import cases

TASKS = list(tasks())


def test_there_are_tasks_of_several_games() -> None:
    assert len(TASKS) >= 3
    assert len({task.game.name for task in tasks().values()}) >= 3


@pytest.mark.parametrize("name", TASKS)
def test_the_pupil_decides_first_and_the_solution_is_best(name: str) -> None:
    """So a table with the number of the deal begins at the position of the task."""
    task = tasks()[name]
    m = task.match()
    assert m.actors == (PUPIL,)
    assert len(m.legal()) > 1
    assert set(task.means) <= set(m.legal())
    assert list(task.means.values())
    told = msgspec.to_builtins(_told(name))
    assert [one["mean"] for one in told["figures"]] == sorted(task.means.values(), reverse=True)
    assert told["names"][PUPIL] == ""
    assert all(told["names"][1:])


@pytest.mark.parametrize("name", cases(TASKS, ["how-many-tricks"]))
def test_the_figures_are_those_of_the_analysis(name: str) -> None:
    task = tasks()[name]
    found = task.match().analyse(seat=PUPIL, iterations=task.iterations, seed=SEED)
    assert found.best == max(task.means, key=lambda move: task.means[move])
    assert {move: round(found[move].mean, 1) for move in task.means} == task.means
