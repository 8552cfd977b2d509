"""Every value that the server goes by, in one place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """Times are seconds, sizes bytes. A rate (n, s) allows bursts of n, filled up again within s seconds."""

    # Messages
    longest_frame: int = 8192
    longest_body: int = 65_536
    longest_record: int = 524_288
    outbox: int = 64  #: messages that may wait for a slow reader, who is dropped then
    slowest_send: float = 10.0  #: time that one message may take before its reader is dropped
    first_message: float = 15.0  #: a socket says hello within this time

    # Who may how much
    socket_rate: tuple[int, float] = (60, 20.0)  #: messages of one socket
    why_rate: tuple[int, float] = (40, 20.0)  #: of these, how many may ask why moves are illegal
    sockets_per_address: int = 64
    connection_rate: tuple[int, float] = (120, 60.0)  #: new sockets of one address
    request_rate: tuple[int, float] = (240, 60.0)  #: HTTP requests to /api of one address
    tables_rate: tuple[int, float] = (60, 600.0)  #: new tables of one address
    heavy_rate: tuple[int, float] = (30, 60.0)  #: uploads, checks, replays of one address
    review_rate: tuple[int, float] = (60, 60.0)  #: reviews asked for, or asked for again, of one address
    most_sockets: int = 5000
    most_tables: int = 5000  #: kept in memory
    loopback_is_free: bool = True  #: no rates for this very machine
    proxies: frozenset[str] = frozenset()  #: addresses whose X-Forwarded-For is believed
    origins: frozenset[str] = frozenset()  #: origins that may use the API beside our own
    secure: bool = False  #: the cookie only goes over HTTPS

    # Connections
    most_connections: int = 5500  #: at the same time, as far as the system's limit of open files allows
    connections_per_address: int = 128  #: of one address; of IPv6 one /64 is one address
    headers_within: float = 10.0  #: seconds in which a request's headers must come,
    body_within: float = 30.0  #: and its body
    keep_alive: int = 5  #: seconds that a connection may be idle between two requests

    health_within: float = 2.0  #: seconds in which the store must prove that it can write

    # What strangers send is worked through by processes of its own (cardtable.server.workers)
    workers: int = 2
    work_seconds: float = 20.0  #: for one job
    work_memory: int = 1 << 30  #: for one job, beyond what its process takes with nothing to do
    work_idle: float = 120.0  #: processes that nobody needs are ended after this time
    work_waiting_each: int = 8  #: jobs of one address that may wait
    work_waiting: int = 64  #: jobs that may wait, all together
    longest_answer: int = 1 << 25

    # Tables
    absence: float = 30.0  #: a lost connection counts as leaving after this time
    idle: float = 300.0  #: a table that nobody looks at leaves the memory after this time
    stale_lobby: float = 86_400.0  #: a listed table that old is not shown any more

    compile_behind: bool = True  #: a cold server plays by plain rules while another process compiles; False: it takes what the cache has

    beat: float = 0.4  #: a forced move is shown for this time before the next; longer at the start of a deal

    # Bots
    bot_threads: int = 2
    bot_pace: float = 0.6  #: a bot's move takes at least this time, however much it had to think
    think: float = 0.8  #: time for a decision of `search` and `flat` when nobody waits
    think_least: float = 0.01
    answer_within: float = 2.0  #: a bot answers within about this time, however many wait: the time to think shrinks
    hint: float = 0.4  #: time for a hint when nobody waits
    review_think: float = 0.4  #: time for a decision that is reviewed; where deals are short,
    review_iterations: int = 10_000  #: these are played out and that is all
    review_threads: int = 1  #: of the bots' threads that may judge at a time
    review_wait: float = 3.0  #: a review that takes longer is told as far as it has come
    review_patience: float = 15.0  #: a review that nobody asks for so long is left where it is
    reviews_kept: int = 64  #: reviews of deals that are kept in memory
    trees: int = 4  #: search trees that each thread keeps, one for each game lately played
    tree_size: int = 1 << 16  #: moves in such a tree (80 bytes each)
