"""Tests of `cardtable.base`."""
