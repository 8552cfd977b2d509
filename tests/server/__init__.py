"""Tests of `cardtable.server`."""
