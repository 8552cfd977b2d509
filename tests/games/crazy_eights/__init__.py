"""Tests of `cardtable.games.crazy_eights`."""
