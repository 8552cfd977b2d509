"""Tests of `cardtable.games.oh_hell`."""
