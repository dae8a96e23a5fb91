"""The server apart from the pages: start and end, its own routes, and the rules for every answer."""
