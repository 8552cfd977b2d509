"""Tests of `cardtable.rules`."""
