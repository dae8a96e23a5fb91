"""Makes copies of a release's corpus in which other answers of the same type replace the gold answers."""
