"""Review."""

from pages.parts.heading import heading

heading("Review")
