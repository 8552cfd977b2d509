"""Tests of `cardtable.bots`."""
