"""Tasks. Each file declares one task as its constant TASK."""
