"""Metrics. Each file declares one metric as its constant METRIC."""
