"""The command line: options of the verbs, their output, and the process that runs them: this one, or the app that holds the
workspace. cli.py is the entry point."""
