"""Draft."""

from pages.parts.heading import heading

heading("Draft")
