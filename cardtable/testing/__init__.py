"""The contract's tests for every game, including games in other packages: a plugin of pytest (`plugin`)."""
