"""One task a file, its constant TASK."""
