"""The browser client at the table, in a real Chromium."""
