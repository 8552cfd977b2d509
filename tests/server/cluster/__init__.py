"""Tests of `cardtable.server.cluster`."""
