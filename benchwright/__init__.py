"""Benchwright for Python."""
