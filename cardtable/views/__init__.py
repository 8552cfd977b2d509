"""What one seat may know of a table, and what it has observed."""
