"""Export a run for other tools; each file writes one format."""
