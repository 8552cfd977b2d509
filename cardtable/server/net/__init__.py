"""Connections: sockets, the messages on them, and what limits each address, network and person."""
