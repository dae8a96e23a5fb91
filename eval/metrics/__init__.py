"""One metric a file, its constant METRIC."""
