"""The games: a package for each family, with its options, rules, presentation and rulebook pages."""
