"""Export a release to a folder in a file format, and import it again. Each module defines one file format as its constant
FORMAT."""
