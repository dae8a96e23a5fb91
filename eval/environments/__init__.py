"""Environments; each file declares one as its constant ENVIRONMENT."""
