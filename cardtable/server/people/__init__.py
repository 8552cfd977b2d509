"""Who people are, on which devices, what is kept about them, and what the operator has decided about them."""
