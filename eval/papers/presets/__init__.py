"""Presets: each file defines a table or figure of a paper as its constant PRESET."""
