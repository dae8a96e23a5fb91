"""Sets up agents, prompts and accounts, and checks the installation."""
