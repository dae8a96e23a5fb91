"""Metrics; each file declares one as its constant METRIC."""
