"""Judging whole matches: each decision, where a deal was lost, and whether it could be won."""
