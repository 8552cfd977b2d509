"""What somebody with many addresses may do: larger networks have separate limits, and nobody can get what they have
used up forgotten.
"""

from __future__ import annotations

import ipaddress
from itertools import count

import pytest

from cardtable.server.net.budgets import Budgets
from cardtable.server.net.fair_queue import Queue
from cardtable.server.net.guard import Rates
from cardtable.server.net.networks import networks_of, widest
from cardtable.server.settings import Settings

RATE = (10, 60.0)


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def sixty_four(number: int, within: str = "2001:db8::/48") -> str:
    """A /64 of a network."""
    network = ipaddress.IPv6Network(within)
    return str(ipaddress.IPv6Network((int(network.network_address) + (number << 64), 64)))


@pytest.mark.parametrize(
    ("address", "networks"),
    [
        ("2001:db8:1:203::/64", (("2001:db8:1::/48", 4), ("2001:db8:1:200::/56", 2))),
        ("192.0.2.7", (("192.0.2.0/24", 8),)),
        ("::1", ()),
        ("a unix socket", ()),
        ("", ()),
    ],
)
def test_the_networks_of_an_address(address: str, networks: tuple[tuple[str, int], ...]) -> None:
    assert networks_of(address) == networks
    assert widest(address) == (networks[0][0] if networks else address)


@pytest.mark.parametrize(
    ("addresses", "times"),
    [
        ([sixty_four(k) for k in range(256)], 2),  # a /56
        ([sixty_four(k << 8) for k in range(200)], 4),  # a /48
        ([f"192.0.2.{k}" for k in range(256)], 8),
    ],
)
def test_a_network_has_a_few_times_the_rate_of_an_address(addresses: list[str], times: int) -> None:
    clock = Clock()
    rates = Rates(Settings(), clock)
    passed = sum(not rates.take("guess", address, RATE) for _ in range(3) for address in addresses)
    assert passed == RATE[0] * times
    assert rates.take("guess", addresses[0], RATE) > 0.0
    assert not rates.take("guess", addresses[0], RATE, person="ann"), "for people with a seat"
    assert not rates.take("guess", "198.51.100.1", RATE), "others notice nothing"
    assert not rates.take("guess", sixty_four(1, "2001:db8:7::/48"), RATE)
    clock.now += RATE[1]
    assert not rates.take("guess", addresses[-1], RATE)


def test_a_seat_is_worth_the_rate_of_one_address() -> None:
    """However many addresses somebody with a seat has; and each address keeps its own limit."""
    rates = Rates(Settings(), Clock())
    addresses = [sixty_four(k << 8) for k in range(100)]
    assert sum(not rates.take("request", address, RATE) for address in addresses) == 4 * RATE[0]
    assert sum(not rates.take("request", address, RATE, person="ann") for address in addresses) == RATE[0]
    passed = sum(not rates.take("request", addresses[-1], RATE, person=f"person {k}") for k in range(30))
    assert passed == RATE[0]


def test_an_address_alone_has_its_rate() -> None:
    for address in ("192.0.2.1", sixty_four(1)):
        rates = Rates(Settings(), Clock())
        assert sum(not rates.take("guess", address, RATE) for _ in range(30)) == RATE[0]


def test_what_is_put_back_is_put_back_everywhere() -> None:
    rates = Rates(Settings(), Clock())
    for k in range(500):
        assert not rates.take("guess", sixty_four(k), RATE)
        rates.give_back("guess", sixty_four(k), RATE)


def test_a_network_that_is_used_up_is_not_remembered_address_by_address() -> None:
    rates = Rates(Settings(), Clock())
    for k in range(1000):
        rates.take("guess", sixty_four(k), RATE)
    assert len(rates._buckets) < 100


@pytest.mark.parametrize("pause", [0.0, 0.001, 0.1])
def test_other_addresses_cannot_push_out_what_is_used_up(monkeypatch: pytest.MonkeyPatch, pause: float) -> None:
    """However many come, at once or slowly, while what was used up is not refilled."""
    monkeypatch.setattr(Rates, "MOST", 200)
    clock = Clock()
    rates = Rates(Settings(), clock)
    day, mine = (5, 86_400.0), [f"192.0.{k}.1" for k in range(60)]
    for address in mine:
        while not rates.take("records", address, day):
            pass
    for k in range(2000):
        rates.take("request", str(ipaddress.ip_address((198 << 24) + (k << 8))), RATE)
        clock.now += pause
    assert len(rates._buckets) <= 200
    assert [address for address in mine if not rates.take("records", address, day)] == []


def test_budgets_are_kept_like_rates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Budgets, "MOST", 50)
    budgets = Budgets(Settings())
    mine = budgets.of("192.0.2.1")
    assert mine is not None
    mine.worked(1000.0)
    for k in range(1000):
        budgets.of(str(ipaddress.ip_address((198 << 24) + k)))
    assert budgets.of("192.0.2.1") is mine


def test_networks_take_turns_and_in_them_addresses() -> None:
    queue: Queue[int] = Queue()
    numbers = count()
    for k in range(30):
        for _ in range(3):
            queue.put(sixty_four(k), next(numbers))
    for caller in ("192.0.2.1", "192.0.2.2", "198.51.100.1", "deals of the day"):
        queue.put(caller, next(numbers))
    came = [found[0] for _ in range(len(queue)) if (found := queue.take())]
    assert [came.index(caller) for caller in ("192.0.2.1", "198.51.100.1", "deals of the day", "192.0.2.2")] == [
        1,
        2,
        3,
        5,
    ]
    assert came[6:36] == [sixty_four(k) for k in (*range(2, 30), 0, 1)]
    assert queue.take() is None
    assert not queue._networks


def test_things_that_are_taken_out_are_gone() -> None:
    queue: Queue[int] = Queue()
    for caller, thing in (("192.0.2.1", 1), ("192.0.2.1", 2), ("192.0.2.9", 3)):
        queue.put(caller, thing)
    queue.remove("192.0.2.1", 1)
    queue.remove("192.0.2.1", 7)
    queue.remove("203.0.113.1", 2)
    assert (queue.of("192.0.2.1"), queue.beside("192.0.2.1"), len(queue)) == (1, 2, 2)
    assert queue.take(callers={"192.0.2.1"}) == ("192.0.2.9", 3)
    assert queue.take(networks={"192.0.2.0/24"}) == ("192.0.2.1", 2)
    assert len(queue) == 0
