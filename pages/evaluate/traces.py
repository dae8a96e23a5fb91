"""Traces."""

from pages.parts.heading import heading

heading("Traces")
