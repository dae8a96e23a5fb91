"""Write a release to a folder and read it back. Each file defines one format as its constant FORMAT."""
