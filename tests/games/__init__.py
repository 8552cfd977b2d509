"""Tests of `cardtable.games`."""
