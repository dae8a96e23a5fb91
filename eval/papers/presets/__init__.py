"""One named table or figure of a paper a file, its constant PRESET."""
