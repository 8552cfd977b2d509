"""The tests that every game gets free, for games in packages of their own, too: a plugin of pytest (`plugin`)."""
