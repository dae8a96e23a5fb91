"""Output formats of a report's Page: each file defines one as its constant RENDERER."""
