"""The gate: finds the person behind each request for pages, routes, static files and websockets, on a server with sign-in."""
