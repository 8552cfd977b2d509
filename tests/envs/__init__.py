"""Tests of `cardtable.envs`."""
