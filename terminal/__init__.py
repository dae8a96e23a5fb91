"""The command line: options of the verbs (its commands), their output, and the process that runs them, which is this one or the
app that has the workspace open. cli.py is the entry point."""
