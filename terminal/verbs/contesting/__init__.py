"""Command-line verbs for contests of items, for errata of releases, and for the boards of sealed releases."""
