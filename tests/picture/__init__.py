"""Tests of `cardtable.picture`."""
