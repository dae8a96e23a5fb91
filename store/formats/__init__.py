"""How a release is written to a folder and read back: one file a format, its constant FORMAT."""
