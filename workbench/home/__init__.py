"""The board on the first page, and the demo."""
