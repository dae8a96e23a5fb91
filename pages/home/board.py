"""Home."""

from pages.parts.heading import heading

heading("Home")
