"""Compare."""

from pages.parts.heading import heading

heading("Compare")
