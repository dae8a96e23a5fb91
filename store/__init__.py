"""Store the core data types (documents, items, reviews, ...) as rows of one DuckDB file, and load them. A single thread writes
to the database file."""
