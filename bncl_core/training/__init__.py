"""Config, optimiser, and the loop that yields steps."""
