"""Corpus."""

from pages.parts.heading import heading

heading("Corpus")
