"""Tests of `cardtable.games.pirate`."""
