"""Playouts and search, written once and compiled for each game."""
