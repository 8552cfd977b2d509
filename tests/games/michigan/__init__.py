"""Tests of `cardtable.games.michigan`."""
