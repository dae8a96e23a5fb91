"""Computes the numbers and the lists of waiting work on the first page, loads the samples, and runs the demo."""
