"""Agents."""

from pages.parts.heading import heading

heading("Agents")
