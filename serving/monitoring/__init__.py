"""Figures of the server for Prometheus, and what counts them."""
