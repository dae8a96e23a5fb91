"""Freeze."""

from pages.parts.heading import heading

heading("Freeze")
