"""Tests of `cardtable.server.rooms`."""
