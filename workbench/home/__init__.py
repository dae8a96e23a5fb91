"""Compute the numbers and lists of waiting work on the first page, load the samples, and run the demo."""
