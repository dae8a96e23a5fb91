"""Run."""

from pages.parts.heading import heading

heading("Run")
