"""Nouns in, nouns out: from documents to items. Knows neither the store, nor the screen, nor eval."""
