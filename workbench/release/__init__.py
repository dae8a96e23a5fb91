"""What is accepted is frozen, looked at, compared and carried away."""
