"""Metrics: each file defines one metric as its constant METRIC."""
