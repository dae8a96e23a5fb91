"""Output formats for a Page; each file declares one as its constant RENDERER."""
