"""Tests of `cardtable.review`."""
