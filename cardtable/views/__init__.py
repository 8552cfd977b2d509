"""One seat's view of a table, and its observations."""
