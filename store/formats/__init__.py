"""Write a release to a folder and read it back. Each module defines one file format as its constant FORMAT."""
