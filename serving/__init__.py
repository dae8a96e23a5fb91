"""What the server does beside the pages: start-up and shut-down, its own routes, and the rules every answer is sent under."""
