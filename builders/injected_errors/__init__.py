"""One flaw a file: FLAW. They are planted by builders.injected_error.plant."""
