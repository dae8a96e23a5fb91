"""Adds documents to the corpus, and drafts items from them: many at once in jobs, or one at a time on a page."""
