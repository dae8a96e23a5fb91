"""Command-line verbs on how the answers of releases age."""
