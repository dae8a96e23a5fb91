"""Pair items that ask the same in two languages, and translate items."""
