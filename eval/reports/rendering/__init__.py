"""Output formats of a Page. Each file declares one format as its constant RENDERER."""
