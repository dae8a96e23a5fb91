"""One flaw a file: FLAW. They are planted by builders.flaw.plant."""
