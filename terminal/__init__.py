"""The command line's verbs, wherever they are worked: in the process that was called, or in the app that is open."""
