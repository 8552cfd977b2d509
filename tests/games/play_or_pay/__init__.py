"""Tests of `cardtable.games.play_or_pay`."""
