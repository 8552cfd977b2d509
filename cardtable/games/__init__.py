"""One package for each family of games (options.py, rules.py, presentation.py and its rulebook pages), beside the
modules that several share.
"""
