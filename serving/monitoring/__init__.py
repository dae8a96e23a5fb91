"""Server metrics for Prometheus, and the middleware that counts requests."""
