"""Contains the figures of the first page, the person's own work on it, the samples, and the demo."""
