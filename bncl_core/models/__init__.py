"""The encoder and what it is made of."""
