"""All settings of the server."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Settings:
    """Times are in seconds, sizes in bytes. A rate (n, s) allows bursts of n, refilled within s seconds."""

    # Messages
    longest_frame: int = 8192  #: a message on a socket
    longest_body: int = 65_536  #: the body of a request
    longest_record: int = 524_288  #: a record that is uploaded or checked
    outbox: int = 64  #: messages that may wait for a slow reader; with more, the reader is dropped
    slowest_send: float = 10.0  #: time that one message may take before its reader is dropped
    first_message: float = 15.0  #: a socket must send hello within this time

    # Limits
    socket_rate: tuple[int, float] = (60, 20.0)  #: messages on one socket
    why_rate: tuple[int, float] = (40, 20.0)  #: how many of these may ask why moves are illegal
    #: part of one processor that commands from one address may use, and the same for questions; beyond it, they wait
    message_share: float = 0.25
    question_share: float = 0.5  #: part of one processor for all questions and requests together while people play
    sockets_per_address: int = 64  #: open at the same time from one address
    #: new sockets from one address, and of a person with a seat whose network has used up its rate
    connection_rate: tuple[int, float] = (120, 60.0)
    #: HTTP requests to /api from one address, and of a person with a seat whose network has used up its rate
    request_rate: tuple[int, float] = (240, 60.0)
    tables_rate: tuple[int, float] = (60, 600.0)  #: new tables from one address
    heavy_rate: tuple[int, float] = (30, 60.0)  #: uploads and checks of records from one address
    records_rate: tuple[int, float] = (100, 86_400.0)  #: records that are kept for one address
    data_rate: tuple[int, float] = (10, 3600.0)  #: downloads and deletions of all data of a person, from one address
    replay_rate: tuple[int, float] = (120, 60.0)  #: portions of replays from one address
    review_rate: tuple[int, float] = (60, 60.0)  #: requests for reviews from one address
    #: wrong names of tables, links, cookies and operator tokens, from one address
    guess_rate: tuple[int, float] = (10, 60.0)
    most_sockets: int = 5000  #: open at the same time
    most_tables: int = 5000  #: kept in memory; for another, one without connections is put away
    loopback_is_free: bool = True  #: no limits for this machine itself
    proxies: frozenset[str] = frozenset()  #: addresses whose X-Forwarded-For is trusted
    #: names by which browsers reach this server, in addition to IP addresses and the names of this machine
    allowed_hosts: frozenset[str] = frozenset()
    prefix: str = ""  #: path below which the site is, such as `/cards`, for a proxy that passes paths on unchanged
    origins: frozenset[str] = frozenset()  #: origins that may use the API besides our own
    #: addresses from which /metrics may be read; a name is no address
    metrics_to: frozenset[str] = frozenset({"127.0.0.1", "::1"})
    #: addresses from which the operator's API may be used, with the operator's token; a name is no address
    admin_from: frozenset[str] = frozenset({"127.0.0.1", "::1"})
    link_valid: float = 600.0  #: a link to another device of the same person is valid for this time
    secure: bool = False  #: the cookie is only sent over HTTPS; always so if a trusted proxy reports https

    # Log
    log_events: bool = False  #: the log includes tables, matches and refusals; faults are always in it
    log_requests: bool = False  #: the log includes requests and sockets
    log_json: bool = False  #: each line of the log is a JSON object

    # Connections
    most_connections: int = 5500  #: at the same time, if the system's limit of open files allows
    connections_per_address: int = 128  #: from one address; in IPv6 a /64 is one address
    headers_within: float = 10.0  #: seconds within which a request's headers must arrive
    body_within: float = 30.0  #: seconds within which its body must arrive
    keep_alive: int = 5  #: seconds that a connection may be idle between two requests

    # Several processes over one PostgreSQL database
    #: seconds for which a process has its tables without a sign of life; then others take them over
    lease: float = 3.0
    #: `address:port` of this machine at which the processes of other machines reach its own; "": they cannot
    internal: str = ""
    #: directory in which the processes of this machine reach each other; "": a temporary one of each server
    sockets_in: str = ""

    health_within: float = 2.0  #: seconds in which the store must prove that it can write

    # Records from strangers are processed in separate processes (cardtable.server.thinking.workers)
    workers: int = 2  #: processes
    most_moves: int = 20_000  #: in a record that is kept, verified, replayed or reviewed
    work_seconds: float = 20.0  #: for one job
    work_memory: int = 1 << 30  #: for one job, in addition to what its idle process takes
    work_idle: float = 120.0  #: idle processes are ended after this time
    work_waiting_each: int = 8  #: jobs from one address that may wait
    work_waiting: int = 64  #: jobs that may wait in total
    replays_kept: int = 1 << 26  #: replays of deals that are kept in memory, in all
    longest_answer: int = 1 << 25  #: the result of a job

    # The disk
    #: minimum of free bytes on the database's disk (of a small disk at most a tenth); with less, no new tables are made
    #: and no records are stored
    disk_reserve: int = 1 << 28
    #: where to check that; empty: the directory of an SQLite file; for PostgreSQL it is unknown
    disk_watched: str = ""

    # Tables
    absence: float = 30.0  #: a lost connection counts as leaving after this time
    idle: float = 300.0  #: a table without connections is removed from memory after this time
    keep_unplayed: float = 30.0  #: days after which a table whose match has not begun is deleted; 0: never
    #: the same for all tables, since a match began or ended there or somebody sat down or left
    keep_tables: float = 0.0
    keep_matches: float = 0.0  #: the same for finished matches, with their records
    delete_every: float = 3600.0  #: seconds between deletions of older data
    stale_lobby: float = 86_400.0  #: a listed table is no longer shown after this time

    #: while another process compiles, the server runs plain rules; false: it only uses the cache
    compile_behind: bool = True

    beat: float = 0.4  #: a forced move is shown for this time before the next one; longer at the start of a deal

    # Bots
    #: the socket of the process that bots think in, with reviews and records (`python -m
    #: cardtable.server.thinking.pool`), for several server processes on one machine; empty: they do so in the server's
    #: own process
    pool: str = ""
    #: bots of installed packages (entry points `cardtable.bots`) that tables may use; their code runs in the server's
    #: process
    outside_bots: frozenset[str] = frozenset()
    bot_threads: int = 2  #: threads in which bots think
    bot_pace: float = 0.6  #: a bot's move takes at least this time, however easy it is
    bot_least: float = 0.03  #: the same for a person who plays alone with fast bots
    think: float = 0.2  #: time for a decision of `search` and `flat` when no other bot is waiting
    think_expert: float = 4.0  #: how many times as long `expert` thinks
    think_least: float = 0.01  #: time for such a decision, whatever the queue
    #: a bot answers within about this time, however many are waiting: the time to think shrinks
    answer_within: float = 2.0
    hint: float = 0.4  #: time for a hint when no bot is waiting
    hint_within: float = 2.0  #: after this time, a hint is that of a *medium* bot
    hints_waiting_each: int = 128  #: hints for one address that may wait
    hints_waiting: int = 2048  #: hints that may wait in total
    review_think: float = 0.4  #: time for each decision in a review
    review_iterations: int = 10_000  #: most deals played out for each decision in a review
    review_threads: int = 1  #: how many of the bots' threads may judge decisions at a time
    review_wait: float = 3.0  #: after this time the answer is the review so far
    review_patience: float = 15.0  #: a review not requested again within this time is interrupted
    review_decisions: int = 1000  #: of a seat in a deal; with more, the deal is not reviewed
    solve_seconds: float = 5.0  #: processor time for the question whether a game can still be won
    reviews_kept: int = 64  #: reviews of deals kept in memory
    decisions_kept: int = 5000  #: judged decisions of each person stored for the statistics, from the latest reviews
    trees: int = 4  #: searchers that each thread keeps, one for each game played recently
    tree_size: int = 1 << 16  #: most moves in the tree of such a searcher (80 bytes each)

    def also_at(self, name: str) -> Settings:
        """These settings, for a server that may also be reached by another name."""
        return replace(self, allowed_hosts=self.allowed_hosts | {name})
