"""Command-line verbs for pairs of items in two languages."""
