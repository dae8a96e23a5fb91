"""One way to write a Page down a file, its constant RENDERER."""
