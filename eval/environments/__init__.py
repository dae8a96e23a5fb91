"""Environments: each file defines a set of functions for systems as its constant ENVIRONMENT."""
