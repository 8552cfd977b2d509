"""What a game is: the contract that its rules keep, its options, its rulebook page, and what is seen of its table."""
