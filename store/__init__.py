"""Store the nouns as rows of one DuckDB file, and read them back. One writer changes the file."""
