"""The base that all packages share: data classes, errors, text functions, search and the agent protocol. The package imports no
other package of this project."""
