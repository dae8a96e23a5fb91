"""Command-line verbs about contests of items and the errata that follow."""
