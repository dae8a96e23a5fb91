"""Metrics: each file defines one as its constant METRIC."""
