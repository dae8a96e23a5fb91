"""Environments. Each file declares one environment as its constant ENVIRONMENT."""
