"""What `policy` likes."""

CHOSEN = 0  #: 0: the first move; 1: the last
