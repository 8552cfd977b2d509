"""Connections: where the server listens, what comes in, and what limits each address, network and person."""
