"""The commands, each in the module that has its name."""
