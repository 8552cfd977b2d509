"""Work that takes processor time, apart from the event loop: bots, reviews, solvers, records from strangers."""
