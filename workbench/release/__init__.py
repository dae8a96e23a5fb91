"""Freezes accepted items as releases, and shows, compares, exports and imports releases."""
