"""Tests of `cardtable.search`."""
