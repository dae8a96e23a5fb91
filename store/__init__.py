"""Rows <-> nouns, on one DuckDB file with one writer."""
