"""Releases."""

from pages.parts.heading import heading

heading("Releases")
