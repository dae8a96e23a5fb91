"""Items before people: what the desk shows, what a press on it does, and what is looked at again afterwards."""
