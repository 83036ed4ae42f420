"""What a checkpoint says about images: the index, and the tables made from it."""
