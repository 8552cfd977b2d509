"""Tests of `cardtable.server.store`."""
