"""A study: a grid of house rules, seats and bots of which every cell plays the same deals."""
