"""Forms of a run for other tools, a file each."""
