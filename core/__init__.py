"""Shared base of all packages: nouns, errors, text, search and the agent protocol. Imports no other package of this project."""
