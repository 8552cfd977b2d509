"""Tests of `cardtable.games.fan_tan`."""
