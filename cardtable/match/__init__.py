"""A match: played by its rules, remembered, written as a record, and opened at a position."""
