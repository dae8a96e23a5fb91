"""One search provider a file, its constant PROVIDER."""
