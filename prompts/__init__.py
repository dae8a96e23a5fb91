"""Prompt files and their replies."""
