"""One plug-in of each kind for Benchwright. Each module imports only public names of `benchwright`."""
