"""Metrics of the server for Prometheus, and the middleware that counts requests."""
