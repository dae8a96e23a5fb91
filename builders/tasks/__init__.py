"""Tasks: each file defines one kind of question as its constant TASK."""
