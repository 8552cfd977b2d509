"""A match in the terminal: a session, and the faces that show it line by line or on the full screen."""
