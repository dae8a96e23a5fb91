"""Results."""

from pages.parts.heading import heading

heading("Results")
