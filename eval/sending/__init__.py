"""Send runs to other tools: to a collector of traces, or to MLflow."""
