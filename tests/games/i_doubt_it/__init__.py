"""Tests of `cardtable.games.i_doubt_it`."""
