"""All that a server works out: the moves of bots, hints, reviews, records, solutions; in threads and processes of its
own, or in the pool that it shares with others.
"""

from __future__ import annotations

from cardtable.server.net.waits import HINTS, Waits
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import Advised, Bots, SearchPool
from cardtable.server.thinking.pool_link import PooledBots, PooledReviews, PooledWorkers, PoolLink
from cardtable.server.thinking.review_answers import Reviews
from cardtable.server.thinking.solving import Losses, Solutions, WinnableDeals
from cardtable.server.thinking.workers import Jobs, Workers
from cardtable.views.view import View


class Thinking:
    """The bots, the processes that read records, the reviews and the solver of a server."""

    bots: Bots
    workers: Jobs
    reviews: Reviews

    def __init__(self, settings: Settings, waits: Waits) -> None:
        """waits: where it is counted what waits."""
        self._waits = waits
        if settings.pool:
            link = PoolLink(settings)
            self.bots, self.workers, self.reviews = PooledBots(link, settings), PooledWorkers(link), PooledReviews(link)
        else:
            from cardtable.server.thinking.reviews import Judge  # with it a process loads what searches

            self.bots, self.workers = threads, workers = SearchPool(settings), Workers(settings)
            self.reviews = Judge(threads, workers, settings)
        self.workers.waits = waits
        self.winnable, self.losses = WinnableDeals(self.workers), Losses(self.workers)
        self.solutions = Solutions(self.workers, settings)

    async def hint(self, view: View, seed: str, asker: str) -> Advised:
        """Work out a hint for a view's seat, as in `Bots.hint`."""
        return await self._waits.through(HINTS, self.bots.hint(view, seed, asker))

    async def close(self) -> None:
        """Drop everything that is worked out."""
        await self.workers.close()
        await self.reviews.close()
        self.bots.close()
