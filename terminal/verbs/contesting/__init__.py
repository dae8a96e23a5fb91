"""Command-line verbs for contests of items and for errata of releases."""
