"""The HTTP part keeps to its description, whatever is asked that the description allows, and whatever it does not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from served import Served, served

schemathesis = pytest.importorskip("schemathesis", reason="NOT ASKED: install the extra `dev` (schemathesis) to try all that the description allows")
checks = pytest.importorskip("schemathesis.specs.openapi.checks")

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]
BOUNDED = settings(max_examples=10, deadline=None, phases=[Phase.explicit, Phase.generate], suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("description") / "tables.db") as running:
        yield running


@schemathesis.serializer("application/toml")  # type: ignore[untyped-decorator]  # imported if it is there
def _as_it_is(_: Any, value: Any) -> bytes:
    """A record goes as the text that it is."""
    return str(value).encode(errors="surrogatepass")


def test_http_keeps_to_its_description_whatever_is_asked(server: Served) -> None:
    described = schemathesis.openapi.from_url(f"{server.url}/api/schema")
    asked = 0
    for result in described.get_all_operations():
        operation: Any = result.ok()
        for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):

            @BOUNDED
            @given(case=operation.as_strategy(generation_mode=mode))
            def ask(case: Any) -> None:
                nonlocal asked
                answer = case.call(timeout=20)
                asked += 1
                assert answer.status_code < 500, (case.method, case.formatted_path, answer.status_code, answer.text[:500])
                if answer.status_code not in (404, 405):
                    kept = [checks.status_code_conformance, checks.content_type_conformance, checks.response_schema_conformance]
                    case.validate_response(answer, checks=kept)

            with contextlib.suppress(Unsatisfiable):  # where nothing is asked for, nothing can be asked wrongly
                ask()
    assert asked > 100
    assert httpx.get(server.url + "/healthz", timeout=20).status_code == 200
