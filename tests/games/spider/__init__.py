"""Tests of `cardtable.games.spider`."""
