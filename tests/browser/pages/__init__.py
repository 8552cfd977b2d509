"""The browser client's other pages, in a real Chromium."""
