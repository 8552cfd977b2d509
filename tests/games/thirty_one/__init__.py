"""Tests of `cardtable.games.thirty_one`."""
