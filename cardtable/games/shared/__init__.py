"""What several families of games share: chips, scores, tricks, captures, and the options and texts for these."""
