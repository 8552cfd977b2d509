"""What counts as one address, and which larger networks it is in."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

LOOPBACK = ("127.0.0.1", "::1", "localhost")
#: by version of IP: larger networks, the largest first, and how many times as much as one address they may use in all.
#: A house or a firm has an IPv6 /56 or /48, somebody who rents servers many addresses of an IPv4 /24
LARGER = {4: ((24, 8),), 6: ((48, 4), (56, 2))}
#: one in this number of sockets, and this number of connections beyond a network's, are for people with a seat
FOR_SEATS = 5
OF_ONE = 16  #: how many of these one person may have


def block_of(address: str) -> str:
    """The block that counts as one address: in IPv6 a /64, because its owner has all addresses in it."""
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address[:64]
    if isinstance(ip, ipaddress.IPv6Address) and not ip.is_loopback:
        return str(ip.ipv4_mapped or ipaddress.ip_network((int(ip) >> 64 << 64, 64)))
    return str(ip)


@lru_cache(1 << 14)
def networks_of(address: str) -> tuple[tuple[str, int], ...]:
    """The larger networks of an address (`block_of`), the largest first, and for each how many times as much as one
    address it may use in all.
    """
    try:
        network = ipaddress.ip_network(address)
    except ValueError:
        return ()
    if network.version == 6 and network.prefixlen != 64:
        return ()  # this machine itself
    return tuple((str(network.supernet(new_prefix=length)), times) for length, times in LARGER[network.version])


def widest(caller: str) -> str:
    """The largest network of an address; any other caller itself."""
    larger = networks_of(caller)
    return larger[0][0] if larger else caller
