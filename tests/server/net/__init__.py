"""Tests of `cardtable.server.net`."""
