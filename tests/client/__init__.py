"""Tests of `cardtable.client`."""
