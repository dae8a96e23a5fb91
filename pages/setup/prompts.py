"""Prompts."""

from pages.parts.heading import heading

heading("Prompts")
