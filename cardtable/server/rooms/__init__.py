"""Tables in play: the hall that opens and closes rooms, each room with its inbox, and the sockets that lead there."""
