"""Tests of `cardtable.analysis`."""
