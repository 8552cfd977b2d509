"""What the tests of environments share: their compiled code."""

from __future__ import annotations

import pytest

from cardtable.envs import VectorTable


@pytest.fixture(scope="session")
def compiled(request: pytest.FixtureRequest) -> str:
    """A game whose environment has been compiled, which is no cost of any one test."""
    env = VectorTable(request.param, 2)
    env.reset()
    env.features()
    env.step(env.sample())
    return str(request.param)
