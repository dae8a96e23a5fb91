"""Exports of a run for other tools, one file per format."""
