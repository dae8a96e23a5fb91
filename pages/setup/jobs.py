"""Jobs."""

from pages.parts.heading import heading

heading("Jobs")
