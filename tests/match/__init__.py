"""Tests of `cardtable.match`."""
