"""Sets up agents, prompts, people and sign-in, and checks the installation."""
