"""The sign-in gate: on a server with sign-in, it identifies the person who sends each request, be it for a page, a route, a
static file or a websocket."""
