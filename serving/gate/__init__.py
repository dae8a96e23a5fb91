"""The sign-in gate: on a server with sign-in, it finds out which person sends each request for a page, route, static file or
websocket."""
