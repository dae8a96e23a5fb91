"""Build benchmark items from documents. The package takes and returns core.nouns; it does not import the store, the screens or
eval."""
