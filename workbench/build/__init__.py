"""Reads documents in, and drafts items from them: in bulk as jobs, or one at a time on a page."""
