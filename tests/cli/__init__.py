"""Tests of `cardtable.cli`."""
