"""The command line: options of the verbs, their output, and where they run: in this process, or in the app that holds the
workspace. cli.py is the entry point."""
