"""One plug-in of each kind for Benchwright. Each module imports public names of `benchwright` alone."""
