"""Tests of `cardtable.server.people`."""
