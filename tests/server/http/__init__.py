"""Tests of `cardtable.server.http`."""
