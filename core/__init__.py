"""The code that all other packages use: data classes, errors, text functions, search and the agent protocol. The package
imports no other package of this project."""
