"""The gate: who acts, for pages, routes, static files and websockets, on a server on which people sign in."""
