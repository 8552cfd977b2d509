"""Tests of `cardtable.lab`."""
