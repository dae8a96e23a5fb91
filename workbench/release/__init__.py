"""Freezes accepted items as releases, and shows, compares, exports, imports and publishes releases."""
