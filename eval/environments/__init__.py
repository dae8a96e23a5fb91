"""The environments: one a file, its constant ENVIRONMENT."""
