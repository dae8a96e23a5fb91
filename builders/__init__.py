"""Build items from documents. This package takes and returns nouns; it does not know the store, the screen or eval."""
