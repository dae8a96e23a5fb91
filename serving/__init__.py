"""The app's server apart from its pages: how it starts and ends, its own routes, and the rules for all answers."""
