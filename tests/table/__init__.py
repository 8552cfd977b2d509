"""Tests of `cardtable.table`."""
