"""Tests of `cardtable.server.thinking`."""
