"""Tables in play: the hall that opens and closes rooms, and each room with its inbox."""
