"""The app's server without its pages: its start and end, its own routes, and the middleware for all requests and responses."""
