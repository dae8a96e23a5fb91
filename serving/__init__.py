"""The server besides the pages: start and end, its own routes, and the rules of every answer."""
