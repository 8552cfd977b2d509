"""One package a family of games: {options, rules, words}.py and its rulebook pages; shared ideas beside them."""
