"""Releases: accepted items are frozen, browsed, compared, exported and imported."""
