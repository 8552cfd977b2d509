"""Tests of `cardtable.kernel`."""
