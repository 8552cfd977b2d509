"""Play at a running server by program: make a table, sit down with two bots, and play the match to its end.

cardtable serve --no-browser     # in another terminal
python examples/client.py [URL]
"""

from __future__ import annotations

import asyncio
import random
import sys

from cardtable.client import Client


async def play(url: str) -> None:
    """Play at random; `table.view` has what a better player would look at."""
    async with Client(url) as client:
        made = await client.make("fan-tan", name="Ann", seats=3, bots=["", "medium", "medium"], options={"deals": 1})
        print(f"table {made['id']}, to be watched at {url.rstrip('/')}{made['path']}")
        async with client.table(made["id"]) as table:
            async for _ in table.states():
                if table.legal:
                    await table.move(random.choice(table.legal))
                elif table.stage == "between":  # the next deal begins when everybody is ready
                    await table.command("ready")
            print(f"{len(table.log)} entries in the log; the table is {table.stage}")


def main(url: str = "http://127.0.0.1:8517/") -> None:
    """url: where the server is."""
    asyncio.run(play(url))


if __name__ == "__main__":
    main(*sys.argv[1:])
