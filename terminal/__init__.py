"""The command line: the options and the output of its verbs (commands), and the choice of the process that runs them: this
process, the app that has the workspace open, or a team's server. The entry point is cli.py."""
