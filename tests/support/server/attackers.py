"""The attackers of bench/attacks.py in a separate process, so that what they do takes no time from the server: in
its process, which also has the players, the work of thirty attackers for each question would hold up all moves.

    attackers = Attackers(Path("record.toml"))
    answers = await attackers.begin("whys", port)
    answers = await attackers.end()

The process (`python attackers.py RECORD`) is told on standard input, a line each: the name and the port of an attack
that is to begin, and an empty line when it is to end. It answers each with a line of JSON.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import attacks

from tests.support.commands import ROOT, surroundings
from tests.support.waiting import eventually

ANSWERS = 10  #: after which an attack has begun, besides those about tables that were made for it
SOCKETS, EACH = 8, 1  #: sockets of an attacker who has one address, and of each of thirty
THEIRS: list[attacks.Attacker] = []


class Noted(attacks.Attacker):
    """An attacker whose answers are counted, also when the attack is cut short."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        THEIRS.append(self)


def answered() -> Counter[str]:
    return sum((attacker.answers for attacker in THEIRS), Counter())


def tell(attack: asyncio.Task[Any]) -> None:
    """Say that, or why an attack has ended already."""
    ended = f"it has ended: {attack.exception() or attack.result()!r}" if attack.done() else ""
    print(json.dumps([answered(), ended]), file=sys.__stdout__, flush=True)


async def attacked(name: str, port: int, record: str, told: asyncio.StreamReader) -> None:
    with contextlib.redirect_stdout(sys.stderr):  # an attack says when it begins
        attack = asyncio.create_task(attacks.ATTACKS[name](port, 300.0, record))
        try:
            await eventually(
                lambda: answered().total() - answered()["201"] > ANSWERS or attack.done(), "it is answered"
            )
            tell(attack)
            await told.readline()
            tell(attack)
        finally:
            attack.cancel()
            await asyncio.gather(attack, return_exceptions=True)
            for attacker in THEIRS:
                await attacker.http.aclose()
            THEIRS.clear()


async def serve(record: str) -> None:
    told = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(told), sys.stdin)
    while line := (await told.readline()).decode():
        name, port = line.split()
        await attacked(name, int(port), record if name in attacks.MOVES else "", told)


class Attackers:
    def __init__(self, record: Path) -> None:
        """record: a file with the record that some attacks use."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.server.attackers", str(record)],
            cwd=ROOT,
            env=surroundings(PYTHONPATH=":".join(sys.path)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def _say(self, line: str) -> Counter[str]:
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{line}\n")
        said = self._process.stdout.readline()
        assert said, f"the attackers' process has ended with {self._process.wait(60)}"
        answers, ended = json.loads(said)
        assert not ended, ended
        return Counter(answers)

    async def begin(self, name: str, port: int) -> Counter[str]:
        """Attack the server at a port; return what the attackers have been answered so far, when they have been."""
        return await asyncio.to_thread(self._say, f"{name} {port}")

    async def end(self) -> Counter[str]:
        """End the attack, which must be going on; return what the attackers have been answered."""
        return await asyncio.to_thread(self._say, "")

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()


if __name__ == "__main__":
    attacks.Attacker, attacks.SOCKETS, attacks.EACH = Noted, SOCKETS, EACH  # type: ignore[misc]
    asyncio.run(serve(Path(sys.argv[1]).read_text(encoding="utf-8")))
