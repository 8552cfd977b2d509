"""Many records: made from simulations, checked and counted."""
