"""Sends runs to other tools: to a collector of traces, and to MLflow."""
