"""Measures the games and writes the book of numbers, docs/findings (`python tools/findings.py`)."""
